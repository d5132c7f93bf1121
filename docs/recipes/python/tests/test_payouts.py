"""Tests of the application in payouts.py, with the client in crossborder.py and the receiver in receiver.py."""

import json

import pytest
from crossborder import ApiError
from payouts import Payouts
from receiver import is_genuine


@pytest.fixture
def payouts(world):
    return Payouts(world.env())


@pytest.fixture
def payee(world):
    return world.first("beneficiaries", "status[eq]=APPROVED")


def test_pays_out_and_learns_of_it_by_webhook(world, payouts, payee):
    inbox = world.inbox("payouts")
    payouts.subscribe(inbox.url())

    operation = payouts.pay(payee, "150.00")
    world.operation(operation["id"]).run_to("COMPLETED")

    (message,) = inbox.wait_for("OPERATION_COMPLETED", operation["id"])
    headers = {"X-Message-Id": message["headers"]["x-message-id"], "X-Message-Signature": message["headers"]["x-message-signature"]}
    assert is_genuine(headers, world.credentials["clientId"], world.credentials["clientSecret"])
    assert json.loads(message["body"])["currentState"]["status"] == "COMPLETED"
    assert world.findings() == []  # The sandbox has found nothing wrong with the application.


def test_learns_why_a_payout_has_failed(world):
    payouts = Payouts(world.env())
    payee = world.first("beneficiaries", "status[eq]=APPROVED")
    operation = payouts.pay(payee, "150.11")
    failed = world.operation(operation["id"]).run_to("FAILED")
    assert failed["currentState"]["reason"]["code"] == "INSUFFICIENT_BALANCE"


def test_pays_once_although_the_response_was_lost(world, payouts, payee):
    lost = {"phase": "after_commit", "times": 1, "effect": {"connectionReset": True}}
    world.fault({"on": "REQUEST", "when": {"operationId": "createWithdrawal"}, **lost})
    operation = payouts.pay(payee, "75.00")
    made = world.control("GET", "/operations", filters="sourceAmount.value[eq]=75.00")["data"]
    assert [each["id"] for each in made] == [operation["id"]]
    assert world.findings() == []


@pytest.mark.world(at="2030-01-31T23:59:00.000Z", scenario="manual")
def test_a_world_has_the_options_of_its_marker(world):
    assert world.control("GET", "/clock")["now"] == "2030-01-31T23:59:00.000Z"


@pytest.mark.negative
def test_is_rejected_for_an_amount_as_a_number(payouts, payee):
    with pytest.raises(ApiError) as error:
        payouts.pay(payee, 150.01)
    assert error.value.status == 400
