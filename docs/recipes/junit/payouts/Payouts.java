package payouts;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import sandbox.Json;

/** The application under test: pays out of an account, and verifies webhooks. */
public final class Payouts {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String url;
    private final String clientId;
    private final String clientSecret;
    private String token;

    public Payouts(String url, String clientId, String clientSecret) {
        this.url = url;
        this.clientId = clientId;
        this.clientSecret = clientSecret;
    }

    /** An error response: the request had no effect, unless the status is 500 or more. */
    public static final class Refused extends Exception {
        public final int status;

        Refused(int status, String body) {
            super(status + " " + body);
            this.status = status;
        }
    }

    /** Sends a request with an idempotency key, and repeats it with the same key if no response arrived. */
    public Map<String, Object> call(String method, String path, Object body) throws Exception {
        if (token == null)
            token = (String) send("POST", "/api/oauth/client/token", Map.of("clientId", clientId, "clientSecret", clientSecret)).get("accessToken");
        var key = UUID.randomUUID().toString();
        for (int triesLeft = 2; ; triesLeft--) {
            try {
                return send(method, path, body, "Authorization", "Bearer " + token, "X-Idempotency-Key", key);
            } catch (IOException error) {
                if (triesLeft == 0) throw error;
            }
        }
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> send(String method, String path, Object body, String... headers) throws Exception {
        var sent = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(Json.write(body));
        var request = HttpRequest.newBuilder(URI.create(url + path)).method(method, sent).header("Content-Type", "application/json");
        if (headers.length > 0) request.headers(headers);
        var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 400) throw new Refused(response.statusCode(), response.body());
        return (Map<String, Object>) Json.parse(response.body());
    }

    /** Pays an amount in BRL to a beneficiary. @return the id of the operation, which is REQUESTED */
    @SuppressWarnings("unchecked")
    public String pay(String beneficiary, String instruction, String amount) throws Exception {
        var accounts = (List<Map<String, Object>>) call("GET", "/api/accounts?limit=1&sortOrder=ASCENDING", null).get("data");
        var account = accounts.get(0).get("id");
        var quote = call("POST", "/api/quotes", Map.of("accountId", account, "sourceAsset", "BRL", "targetAsset", "BRL", "sourceAmount", amount));
        var target = Map.of("type", "REFERENCE", "id", beneficiary, "paymentInstruction", Map.of("type", "REFERENCE", "id", instruction));
        var withdrawal = Map.of("accountId", account, "quoteId", quote.get("id"), "beneficiary", target);
        return (String) call("POST", "/api/operations/withdrawal", withdrawal).get("id");
    }

    /** Verifies X-Message-Signature: HMAC-SHA256 of the message id and the client id. It does not cover the body. */
    public boolean isGenuine(String messageId, String signature) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(clientSecret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var expected = HexFormat.of().formatHex(mac.doFinal((messageId + "+" + clientId).getBytes(StandardCharsets.UTF_8)));
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }
}
