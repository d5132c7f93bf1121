package sandbox;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A world with a frozen clock in the sandbox at SANDBOX_URL: its own accounts, operations and faults. */
public final class World {
    private static final HttpClient client = HttpClient.newHttpClient();

    public final String name;
    /** Base URL of the payments API. */
    public final String url;
    public final String clientId;
    public final String clientSecret;

    final String controlUrl;

    /** Creates the world, or replaces the one with this name. @param settings at, scenario, seed, fixtures */
    World(String name, Map<String, String> settings) {
        this.name = name;
        url = variable("SANDBOX_URL");
        if (url.isEmpty())
            throw new IllegalStateException(
                "There is no sandbox for the tests. Start one (docker run --rm -p 127.0.0.1:4010:4010 crossborder-sandbox) "
                    + "and set SANDBOX_URL=http://127.0.0.1:4010.");
        controlUrl = variable("SANDBOX_CONTROL_URL").isEmpty() ? url : variable("SANDBOX_CONTROL_URL");
        var body = new LinkedHashMap<String, Object>(settings);
        var at = body.remove("at");
        body.put("clock", at == null ? Map.of("mode", "FROZEN") : Map.of("mode", "FROZEN", "now", at));
        body.put("ttl", "1h");
        var credentials = object(object(control("PUT", "/worlds/" + name + "?ifExists=replace", body)).get("credentials"));
        clientId = (String) credentials.get("clientId");
        clientSecret = (String) credentials.get("clientSecret");
    }

    private static String variable(String name) {
        var value = System.getenv(name);
        return value == null ? "" : value.trim().replaceAll("/+$", "");
    }

    /** Returns the environment variables with which an application connects to this world. */
    public Map<String, String> env() {
        return Map.of("SANDBOX_URL", url, "SANDBOX_WORLD", name, "SANDBOX_CLIENT_ID", clientId, "SANDBOX_CLIENT_SECRET", clientSecret);
    }

    /**
     * Sends a request to the control API and returns its JSON.
     * @param path follows /_sandbox, and may have a query
     * @param body null without one
     */
    public Object control(String method, String path, Object body) {
        var sent = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(Json.write(body));
        // The timeout is longer than the sandbox takes for any request.
        var request = HttpRequest.newBuilder(URI.create(controlUrl + "/_sandbox" + path)).method(method, sent).timeout(Duration.ofSeconds(90));
        if (body != null) request.header("Content-Type", "application/json");
        if (!path.startsWith("/worlds/")) request.header("X-Sandbox-World", name);
        var token = variable("SANDBOX_CONTROL_TOKEN");
        if (token.matches("client-[^:]+:.+")) // The credentials of a world.
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8)));
        else if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
        HttpResponse<String> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException error) {
            var message = "No sandbox responds at " + controlUrl + ": " + error + ". Start one, or set SANDBOX_URL to its address.";
            throw new SandboxException(0, "UNREACHABLE", message);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new SandboxException(0, "INTERRUPTED", "The test was interrupted.");
        }
        try {
            var answer = response.body().isEmpty() ? null : Json.parse(response.body());
            if (response.statusCode() < 400) return answer;
            var error = object(answer);
            var message = error.get("message") + " [" + method + " " + path + "]";
            throw new SandboxException(response.statusCode(), (String) error.get("code"), message);
        } catch (IllegalArgumentException | ClassCastException error) {
            throw new SandboxException(response.statusCode(), "NOT_A_SANDBOX", controlUrl + " does not respond as a sandbox does. " + error.getMessage());
        }
    }

    /** Returns up to 100 items of a list, for example {@code list("beneficiaries", "status[eq]=APPROVED")}. */
    public List<Map<String, Object>> list(String resource, String filters) {
        return data(control("GET", "/" + resource + "?limit=100&filters=" + encoded(filters), null));
    }

    /** Advances the frozen clock by a duration, for example 30s, with the webhooks that become due. */
    public void advance(String by) {
        control("POST", "/clock/advance", Map.of("by", by));
    }

    /** Injects a fault, for example {@code Map.of("on", "REQUEST", "times", 1, "effect", Map.of("connectionReset", true))}. */
    public void fault(Map<String, Object> rule) {
        control("POST", "/faults", rule);
    }

    /** Returns what the application did wrong, if no more requests follow. */
    public List<Map<String, Object>> findings() {
        return data(control("GET", "/findings?final=true", null));
    }

    /** Advances the frozen clock from timer to timer until an operation has a status, and returns the operation. */
    public Map<String, Object> runTo(String operationId, String status) {
        while (true) {
            var why = object(control("GET", "/why/" + operationId, null));
            if (status.equals(why.get("status"))) return list("operations", "id[eq]=" + operationId).get(0);
            var clock = object(control("GET", "/clock", null));
            var plan = object(why.get("plan"));
            var isPending = plan != null && !(Boolean) plan.get("isWaiting")
                && objects(plan.get("steps")).stream().anyMatch(step -> List.of("NEXT", "LATER").contains(step.get("outcome")));
            var next = clock.get("nextTimerAt");
            if (!"FROZEN".equals(clock.get("mode")) || next == null || !isPending)
                throw new SandboxException(0, "STATUS_NOT_REACHABLE", "No timer leads operation " + operationId + " from " + why.get("status")
                    + " to " + status + "; the clock is " + clock.get("mode") + ". Notes: " + why.get("notes"));
            control("POST", "/clock/advance", Map.of("to", next));
        }
    }

    /** Returns the URL of a webhook receiver inside the sandbox, for a subscription. */
    public String inboxUrl(String inbox) {
        return object(control("GET", "", null)).get("internalUrl") + "/_sandbox/inbox/" + encoded(inbox) + "?world=" + name;
    }

    /** Waits up to 10 seconds for a webhook in an inbox; earlier webhooks count too. It has {@code headers} and {@code body}. */
    public Map<String, Object> waitForWebhook(String inbox, String eventType, String resourceId) {
        var query = "?timeoutMs=10000&eventType=" + eventType + "&resourceId=" + resourceId;
        return data(control("GET", "/inbox/" + encoded(inbox) + "/await" + query, null)).get(0);
    }

    /** Returns one line for each of the newest 500 requests, statuses, webhooks, postings and findings. */
    public String story() {
        var query = "?kinds=REQUEST,CONTROL,STATE,DELIVERY,LEDGER,FINDING&reads=false&counts=false&limit=500";
        var lines = new ArrayList<String>();
        for (var item : data(control("GET", "/timeline" + query, null))) {
            var line = item.get("at") + " " + item.get("summary");
            var request = object(item.get("request"));
            if (request != null) {
                line += ": " + (item.get("status") == null ? "in progress" : item.get("status"));
                var outcome = request.get("outcome");
                if (outcome != null && !outcome.equals("DELIVERED")) line += " " + outcome;
            }
            lines.add(0, line);
        }
        var clock = object(control("GET", "/clock", null));
        lines.add(clock.get("now") + ", " + clock.get("mode") + ", timers waiting: " + clock.get("pendingTimers"));
        return String.join("\n", lines);
    }

    void delete() {
        control("DELETE", "/worlds/" + name, null);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static List<Map<String, Object>> data(Object page) {
        return objects(object(page).get("data"));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(Object json) {
        return (List<Map<String, Object>>) json;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object json) {
        return (Map<String, Object>) json;
    }
}
