package payouts_test

import (
	"testing"

	"payouts/payouts"
	"payouts/sandbox"
)

func start(w *sandbox.World) *payouts.Payouts {
	return &payouts.Payouts{URL: w.URL, ClientID: w.ClientID, ClientSecret: w.ClientSecret}
}

func pay(t *testing.T, w *sandbox.World, app *payouts.Payouts, amount string) (string, error) {
	t.Helper()
	beneficiary := w.First("beneficiaries", "status[eq]=APPROVED")
	instruction := beneficiary["paymentInstructions"].([]any)[0].(sandbox.Object)
	return app.Pay(beneficiary["id"].(string), instruction["id"].(string), amount)
}

func TestPaysOutAndLearnsOfItByWebhook(t *testing.T) {
	t.Parallel()
	world := sandbox.NewWorld(t)
	app := start(world)
	subscription := sandbox.Object{"url": world.InboxURL("payouts"), "includeAll": true}
	if err := app.Call("POST", "/api/subscriptions", subscription, &sandbox.Object{}); err != nil {
		t.Fatal(err)
	}

	id, err := pay(t, world, app, "150.00")
	if err != nil {
		t.Fatal(err)
	}
	world.RunTo(id, "COMPLETED")

	message := world.WaitForWebhook("payouts", "OPERATION_COMPLETED", id)
	if !app.IsGenuine(message.Headers["x-message-id"], message.Headers["x-message-signature"]) {
		t.Error("The signature of the webhook is wrong.")
	}
	if found := world.Findings(); len(found) > 0 { // What the sandbox found wrong with the application.
		t.Errorf("The sandbox has findings: %v", found)
	}
}

func TestPaysOnceAlthoughTheResponseWasLost(t *testing.T) {
	t.Parallel()
	world := sandbox.NewWorld(t)
	world.Fault(sandbox.Object{
		"on": "REQUEST", "when": sandbox.Object{"operationId": "createWithdrawal"}, "phase": "after_commit", "times": 1,
		"effect": sandbox.Object{"connectionReset": true},
	})
	id, err := pay(t, world, start(world), "75.00")
	if err != nil {
		t.Fatal(err)
	}
	made := world.List("operations", "sourceAmount.value[eq]=75.00")
	if len(made) != 1 || made[0]["id"] != id {
		t.Errorf("There are %d operations.", len(made))
	}
}

func TestIsRefusedForAnAmountAsANumber(t *testing.T) {
	t.Parallel()
	world := sandbox.NewWorld(t, sandbox.Options{Negative: true, Scenario: "manual"})
	quote := sandbox.Object{"sourceAsset": "BRL", "targetAsset": "BRL", "sourceAmount": 150.01}
	if err := start(world).Call("POST", "/api/quotes", quote, nil); err == nil {
		t.Error("The amount was accepted.")
	}
}
