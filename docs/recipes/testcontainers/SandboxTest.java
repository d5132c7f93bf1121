// With org.testcontainers:junit-jupiter and com.fasterxml.jackson.core:jackson-databind among the test dependencies.

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

@Testcontainers
class SandboxTest {
    // docker build -t crossborder-sandbox . in this repository
    @Container
    static final GenericContainer<?> sandbox = new GenericContainer<>(DockerImageName.parse("crossborder-sandbox"))
        .withEnv("SANDBOX_DATA", "memory")
        .withExposedPorts(4010)
        .waitingFor(Wait.forHttp("/_sandbox/health/ready").forPort(4010));

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
    void anApplicationGetsATokenForAWorldOfItsOwn() throws Exception {
        var world = call("PUT", "/_sandbox/worlds/orders", "{\"clock\": {\"mode\": \"FROZEN\"}}");
        var token = call("POST", "/api/oauth/client/token", world.get("credentials").toString()).get("accessToken").asText();
        var accounts = call("GET", "/api/accounts", "", "Authorization", "Bearer " + token);
        assertFalse(accounts.get("data").isEmpty());
    }
}
