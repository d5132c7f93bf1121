"""From onboarding to reports against a running sandbox: python3 journey.py [base URL]."""

import sys
import threading
from decimal import Decimal

from crossborder import Client
from crossborder_sandbox_pytest import Sandbox
from receiver import Receiver

PDF = b"%PDF-1.4\n"
ADDRESS = {"addressLine1": "Rua 1", "city": "Recife", "state": "PE", "country": "BR", "postalCode": "50030-230"}
COMPANY = {
    "type": "COMPANY", "legalName": "Ipe Comercio Ltda", "industry": "WHOLESALE", "incorporateDate": "2019-05-02",
    "taxId": {"type": "CNPJ", "value": "11.222.333/0001-81"}, "address": ADDRESS,
}  # fmt: skip
PERSON = {
    "type": "INDIVIDUAL", "firstName": "Lia", "lastName": "Tavares",
    "taxId": {"type": "CPF", "value": "161.803.398-05"}, "address": ADDRESS,
}  # fmt: skip
BENEFICIAL_OWNER = {
    "name": "Rui Moura", "taxId": {"type": "CPF", "value": "161.803.398-05"},
    "ownershipPercentage": 60, "isLegalRepresentative": True,
    "phone": "+5581999990000", "email": "rui@example.com", "address": ADDRESS,
}  # fmt: skip
BENEFICIARY = {
    "holder": {**{key: PERSON[key] for key in ("type", "firstName", "lastName", "taxId")}, "dateOfBirth": "1993-06-21"},
    "relationshipType": "THIRD_PARTY",
    "paymentInstruction": {"type": "PIX", "asset": "BRL", "dictKeyType": "EMAIL", "dictKey": "lia@example.com"},
}



def main(base):
    world = Sandbox(base).create_world("python", fixtures="empty", scenario="manual", ttl="1h")
    credentials = (world.credentials["clientId"], world.credentials["clientSecret"])
    api, control = Client(base, *credentials), world.control
    receiver = Receiver(*credentials)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    api.post("/api/subscriptions", {"url": receiver.url, "includeAll": True, "allowRetry": True})

    company, person = onboard(api, control, COMPANY), onboard(api, control, PERSON)
    beneficiary, instruction = register(api, control)
    control("POST", f"/accounts/{company}/credit", {"amount": {"value": "1000.00", "asset": "BRL"}})
    operations = [
        deposit(api, control, company),
        withdraw(api, company, beneficiary, instruction),
        transfer(api, company, person),
        swap(api, company),
    ]
    for index, each in enumerate(operations):
        control("POST", f"/operations/{each['id']}/complete", {})
        operations[index] = done = api.get(f"/api/operations/{each['id']}")
        print(done["intent"]["type"], done["currentState"]["status"], text(done["sourceAmount"]), "to", text(done["targetAmount"]))

    compare_report(api, control, company, operations)
    check_webhooks(api, control, receiver, operations)
    check_findings(control)
    world.delete()


def find_account(api, account):
    return next(api.list("/api/accounts", filters=f"id[eq]={account}"))


def onboard(api, control, owner):
    """Opens an account, uploads the documents that its requirements name, and approves them through the control API."""
    account = api.post("/api/accounts", {"assets": [{"code": "BRL"}, {"code": "USDT"}], "owner": owner})["id"]
    if owner["type"] == "COMPANY":
        api.post(f"/api/accounts/{account}/ubos", BENEFICIAL_OWNER)
    today = control("GET", "/clock")["now"][:10]
    metadata = {"country": "BR", "issuedAt": today}
    for due in find_account(api, account)["requirements"]["currentlyDue"]:
        kind = due["documentType"] or due["options"][-1]
        holder = {"type": "UBO", "referenceId": due["uboId"]} if due["uboId"] else {"type": "ACCOUNT", "referenceId": account}
        about = {"documentType": kind, "holder": holder, "metadata": {name: metadata[name] for name in due["requiredMetadata"]}}
        api.upload(about, f"{kind.lower()}.pdf", PDF)
    for document in control("GET", "/documents", filters=f"accountId[eq]={account}", limit=100)["data"]:
        control("POST", f"/documents/{document['id']}/approve", {})
    for ubo in find_account(api, account)["owner"].get("ubos", []):
        control("POST", f"/ubos/{ubo['id']}/approve", {})
    control("POST", f"/accounts/{account}/activate", {})
    opened = find_account(api, account)
    print(opened["owner"]["type"], opened["currentState"]["status"], *(f"{each['asset']} {each['status']}" for each in opened["assets"]))
    return account


def register(api, control):
    """Registers a beneficiary, and approves its payment instruction through the control API."""
    beneficiary = api.post("/api/beneficiaries", BENEFICIARY)["id"]
    instruction = api.get(f"/api/beneficiaries/{beneficiary}")["paymentInstructions"][0]["id"]
    control("POST", f"/payment-instructions/{instruction}/approve", {})
    print("beneficiary", api.get(f"/api/beneficiaries/{beneficiary}")["status"])
    return beneficiary, instruction


def quote(api, account, source, target, **amount):
    return api.post("/api/quotes", {"accountId": account, "sourceAsset": source, "targetAsset": target, **amount})["id"]


def deposit(api, control, account):
    quote_id = quote(api, account, "USD", "BRL", sourceAmount="100.00")
    answer = api.post("/api/operations/deposit", {"accountId": account, "quoteId": quote_id, "fundingInstruction": {"rail": "WIRE"}})
    control("POST", f"/operations/{answer['id']}/pay", {})
    return answer


def withdraw(api, account, beneficiary, instruction):
    quote_id = quote(api, account, "BRL", "BRL", targetAmount="150.00")
    payee = {"type": "REFERENCE", "id": beneficiary, "paymentInstruction": {"type": "REFERENCE", "id": instruction}}
    return api.post("/api/operations/withdrawal", {"accountId": account, "quoteId": quote_id, "beneficiary": payee})


def transfer(api, source, target):
    amount = {"value": "25.00", "asset": "BRL"}
    return api.post("/api/operations/transfer", {"sourceAccountId": source, "targetAccountId": target, "amount": amount})


def swap(api, account):
    quote_id = quote(api, account, "BRL", "USDT", sourceAmount="50.00")
    return api.post("/api/operations/swap", {"accountId": account, "quoteId": quote_id})


def text(money):
    return f"{money['value']} {money['asset']}"


def compare_report(api, control, account, operations):
    """Adds up what the operations did to the account, and compares it with the report."""
    today = control("GET", "/clock")["now"][:10]
    period = {"periodStart": f"{today}T00:00:00Z", "periodEnd": "2100-01-01T00:00:00Z"}
    report = api.get("/api/reports", **period, filters=f"account.id[eq]={account}")
    reported = {}
    for total in report["totals"]:
        for way in {"inflows", "outflows"} & total.keys():
            reported[total["asset"], way] = Decimal(total[way]["sum"]["value"])
    expected = {}
    for each in operations:
        moves = [("outflows", "sourceAmount"), ("inflows", "targetAmount")]
        for way, side in {"SWAP": moves, "DEPOSIT": moves[1:]}.get(each["intent"]["type"], moves[:1]):
            key = (each[side]["asset"], way)
            expected[key] = expected.get(key, Decimal(0)) + Decimal(each[side]["value"])
    assert reported == expected, f"reported {reported}, expected {expected}"
    print("report", *(f"{way} {value} {asset}" for (asset, way), value in sorted(reported.items())))


def check_webhooks(api, control, receiver, operations):
    """Each event arrived, and counts once; a webhook with a wrong signature is rejected, and accepted when it is sent again."""
    control("POST", "/deliveries/flush", {"timeoutMs": 5000})
    completed = {body["id"]: body for kind, body in receiver.events if kind == "OPERATION_COMPLETED"}
    assert completed.keys() == {each["id"] for each in operations}
    assert all(completed[each["id"]]["destinationAmount"] == each["targetAmount"] for each in operations)

    known = len(receiver.events)
    for effect in ({"corruptSignature": True}, {"duplicate": 1}):
        control("POST", "/faults", {"on": "DELIVERY", "times": 1, "effect": effect})
        control("POST", "/events", {"eventType": "ASSET_ACTIVATED"})
        control("POST", "/clock/advance", {"by": "5s"})
    assert (receiver.rejected, len(receiver.events)) == (1, known + 2)
    (subscription,) = api.list("/api/subscriptions")
    (rejected,) = api.list(f"/api/subscriptions/{subscription['id']}/executionLogs", filters="status[eq]=FAILED")
    assert (rejected["httpStatus"], rejected["eventType"]) == (401, "ASSET_ACTIVATED")
    print("webhooks", known + 2, "handled,", receiver.rejected, "rejected")


def check_findings(control):
    """The sandbox found no mistake of this client."""
    found = [f"{each['rule']}: {each['advice']}" for each in control("GET", "/findings", final="true")["data"]]
    assert found == [], found
    print("findings none")


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["http://127.0.0.1:4010"])
