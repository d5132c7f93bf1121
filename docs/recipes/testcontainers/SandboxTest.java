// With org.testcontainers:junit-jupiter and com.fasterxml.jackson.core:jackson-databind among the test dependencies.

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

@Testcontainers
class SandboxTest {
    static final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    static final HttpServer receiver = receiver();

    // docker build -t crossborder-sandbox . in this repository
    @Container
    static final GenericContainer<?> sandbox = new GenericContainer<>(DockerImageName.parse("crossborder-sandbox"))
        .withEnv("SANDBOX_DATA", "memory")
        .withExposedPorts(4010)
        .withAccessToHost(true)
        .waitingFor(Wait.forHttp("/_sandbox/health/ready").forPort(4010));

    /** Starts a receiver on a free port of this machine, and lets containers that start later reach it. */
    static HttpServer receiver() {
        try {
            var server = HttpServer.create(new InetSocketAddress(0), 0);
            server.createContext("/hooks", exchange -> {
                events.add(exchange.getRequestHeaders().getFirst("X-Event-Type"));
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            server.start();
            org.testcontainers.Testcontainers.exposeHostPorts(server.getAddress().getPort());
            return server;
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    @AfterAll
    static void stop() {
        receiver.stop(0);
    }

    final HttpClient client = HttpClient.newHttpClient();
    final ObjectMapper json = new ObjectMapper();

    JsonNode call(String method, String path, String body, String... headers) throws Exception {
        var uri = URI.create("http://" + sandbox.getHost() + ":" + sandbox.getMappedPort(4010) + path);
        var request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.ofString(body));
        request.header("Content-Type", "application/json");
        if (headers.length > 0) request.headers(headers);
        var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertTrue(response.statusCode() < 300, response.body());
        return json.readTree(response.body());
    }

    @Test
    void anApplicationGetsATokenForItsWorld() throws Exception {
        var world = call("PUT", "/_sandbox/worlds/orders?ifExists=replace", "{\"clock\": {\"mode\": \"FROZEN\"}}");
        var token = call("POST", "/api/oauth/client/token", world.get("credentials").toString()).get("accessToken").asText();
        var accounts = call("GET", "/api/accounts", "", "Authorization", "Bearer " + token);
        assertFalse(accounts.get("data").isEmpty());
    }

    @Test
    void aWebhookReachesAReceiverOnTheHost() throws Exception {
        var world = call("PUT", "/_sandbox/worlds/hooks?ifExists=replace", "{}");
        var token = call("POST", "/api/oauth/client/token", world.get("credentials").toString()).get("accessToken").asText();
        var hook = "http://host.testcontainers.internal:" + receiver.getAddress().getPort() + "/hooks";
        call("POST", "/api/subscriptions", "{\"url\": \"" + hook + "\", \"includeAll\": true}",
            "Authorization", "Bearer " + token, "X-Idempotency-Key", UUID.randomUUID().toString());
        call("POST", "/_sandbox/events", "{\"eventType\": \"OPERATION_COMPLETED\"}", "X-Sandbox-World", "hooks");
        assertEquals("OPERATION_COMPLETED", events.poll(10, TimeUnit.SECONDS));
    }
}
