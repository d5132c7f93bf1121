"""The application under test: pays out of its first account."""

from crossborder import Client


class Payouts:
    """Knows only a URL and credentials, as with the real service."""

    def __init__(self, env):
        self.client = Client(env["SANDBOX_URL"], env["SANDBOX_CLIENT_ID"], env["SANDBOX_CLIENT_SECRET"])

    def subscribe(self, url):
        self.client.post("/api/subscriptions", {"url": url, "includeAll": True})

    def pay(self, payee, amount):
        """Sends a withdrawal and returns the operation, in status REQUESTED."""
        account = next(self.client.list("/api/accounts", sortOrder="ASCENDING"))["id"]
        quote = self.client.post("/api/quotes", {"accountId": account, "sourceAsset": "BRL", "targetAsset": "BRL", "sourceAmount": amount})
        instruction = {"type": "REFERENCE", "id": payee["paymentInstructions"][0]["id"]}
        beneficiary = {"type": "REFERENCE", "id": payee["id"], "paymentInstruction": instruction}
        body = {"accountId": account, "quoteId": quote["id"], "beneficiary": beneficiary}
        return self.client.post("/api/operations/withdrawal", body)
