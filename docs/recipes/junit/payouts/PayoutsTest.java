package payouts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import sandbox.SandboxExtension;
import sandbox.World;
import sandbox.WorldOptions;

@ExtendWith(SandboxExtension.class)
class PayoutsTest {
    static Payouts start(World world) {
        return new Payouts(world.url, world.clientId, world.clientSecret);
    }

    @SuppressWarnings("unchecked")
    static String pay(World world, Payouts app, String amount) throws Exception {
        var beneficiary = world.list("beneficiaries", "status[eq]=APPROVED").get(0);
        var instruction = ((List<Map<String, Object>>) beneficiary.get("paymentInstructions")).get(0);
        return app.pay((String) beneficiary.get("id"), (String) instruction.get("id"), amount);
    }

    @Test
    @SuppressWarnings("unchecked")
    void paysOutAndLearnsOfItByWebhook(World world) throws Exception {
        var app = start(world);
        app.call("POST", "/api/subscriptions", Map.of("url", world.inboxUrl("payouts"), "includeAll", true));

        var id = pay(world, app, "150.00");
        world.runTo(id, "COMPLETED");

        var headers = (Map<String, String>) world.waitForWebhook("payouts", "OPERATION_COMPLETED", id).get("headers");
        assertTrue(app.isGenuine(headers.get("x-message-id"), headers.get("x-message-signature")));
        assertEquals(List.of(), world.findings()); // The sandbox has found nothing wrong with the application.
    }

    @Test
    void paysOnceAlthoughTheResponseWasLost(World world) throws Exception {
        world.fault(Map.of("on", "REQUEST", "when", Map.of("operationId", "createWithdrawal"), "phase", "after_commit", "times", 1,
            "effect", Map.of("connectionReset", true)));
        var id = pay(world, start(world), "75.00");
        assertEquals(List.of(id), world.list("operations", "sourceAmount.value[eq]=75.00").stream().map(each -> each.get("id")).toList());
    }

    @Test
    @Tag("negative")
    @WorldOptions(scenario = "manual", seed = "7")
    void isRefusedForAnAmountAsANumber(World world) {
        var quote = Map.of("sourceAsset", "BRL", "targetAsset", "BRL", "sourceAmount", 150.01);
        var refused = assertThrows(Payouts.Refused.class, () -> start(world).call("POST", "/api/quotes", quote));
        assertEquals(400, refused.status);
    }
}
