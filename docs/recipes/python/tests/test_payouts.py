"""Tests of an application that pays out: the client in crossborder.py and the receiver in receiver.py."""

import json

import pytest
from crossborder import ApiError, Client
from receiver import is_genuine


@pytest.fixture
def client(world):
    return Client(world.sandbox.url, world.credentials["clientId"], world.credentials["clientSecret"])


def pay(client, beneficiary, amount):
    """Pays out of the first account. Returns the operation as it was requested."""
    account = next(client.list("/api/accounts", sortOrder="ASCENDING"))["id"]
    quote = client.post("/api/quotes", {"accountId": account, "sourceAsset": "BRL", "targetAsset": "BRL", "sourceAmount": amount})
    instruction = {"type": "REFERENCE", "id": beneficiary["paymentInstructions"][0]["id"]}
    payee = {"type": "REFERENCE", "id": beneficiary["id"], "paymentInstruction": instruction}
    return client.post("/api/operations/withdrawal", {"accountId": account, "quoteId": quote["id"], "beneficiary": payee})


def approved(world):
    return world.first("beneficiaries", "status[eq]=APPROVED")


def test_pays_out_and_learns_of_it_by_webhook(world, client):
    inbox = world.inbox("payouts")
    client.post("/api/subscriptions", {"url": inbox.url(), "includeAll": True})

    operation = pay(client, approved(world), "150.00")
    world.operation(operation["id"]).run_to("COMPLETED")

    (message,) = inbox.wait_for("OPERATION_COMPLETED", operation["id"])
    headers = {"X-Message-Id": message["headers"]["x-message-id"], "X-Message-Signature": message["headers"]["x-message-signature"]}
    assert is_genuine(headers, world.credentials["clientId"], world.credentials["clientSecret"])
    assert json.loads(message["body"])["currentState"]["status"] == "COMPLETED"
    assert world.findings() == []  # The sandbox has found nothing wrong with the application.


def test_learns_why_a_payout_has_failed(world, client):
    operation = pay(client, approved(world), "150.11")  # These cents ask for this failure.
    failed = world.operation(operation["id"]).run_to("FAILED")
    assert failed["currentState"]["reason"]["code"] == "INSUFFICIENT_BALANCE"


def test_pays_once_although_the_response_was_lost(world, client):
    lost = {"phase": "after_commit", "times": 1, "effect": {"connectionReset": True}}
    world.fault({"on": "REQUEST", "when": {"operationId": "createWithdrawal"}, **lost})
    operation = pay(client, approved(world), "75.00")
    made = world.control("GET", "/operations", filters="sourceAmount.value[eq]=75.00")["data"]
    assert [each["id"] for each in made] == [operation["id"]]
    assert world.findings() == []


@pytest.mark.world(at="2030-01-31T23:59:00.000Z", scenario="manual")
def test_a_world_has_the_options_of_its_marker(world):
    assert world.control("GET", "/clock")["now"] == "2030-01-31T23:59:00.000Z"


@pytest.mark.negative
def test_is_refused_for_an_amount_as_a_number(world, client):
    with pytest.raises(ApiError) as refused:
        pay(client, approved(world), 150.01)
    assert refused.value.status == 400
