// go test, with github.com/testcontainers/testcontainers-go and github.com/google/uuid in go.mod.
package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// docker build -t crossborder-sandbox . in this repository
const image = "crossborder-sandbox"

// start returns the URL of a new sandbox, which reaches the given ports of this machine.
func start(t *testing.T, ports ...int) string {
	t.Helper()
	ctx := context.Background()
	container, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:           image,
			Env:             map[string]string{"SANDBOX_DATA": "memory"},
			ExposedPorts:    []string{"4010/tcp"},
			HostAccessPorts: ports,
			WaitingFor:      wait.ForHTTP("/_sandbox/health/ready").WithPort("4010/tcp"),
		},
		Started: true,
	})
	testcontainers.CleanupContainer(t, container)
	if err != nil {
		t.Fatal(err)
	}
	url, err := container.PortEndpoint(ctx, "4010/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func call(t *testing.T, method, url string, body, answer any, headers ...string) {
	t.Helper()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, sent)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s", method, url, response.StatusCode, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		t.Fatal(err)
	}
}

// world creates a world, and returns an access token for it.
func world(t *testing.T, url, name string) string {
	t.Helper()
	var made struct {
		Credentials struct {
			ClientID     string `json:"clientId"`
			ClientSecret string `json:"clientSecret"`
		} `json:"credentials"`
	}
	call(t, "PUT", url+"/_sandbox/worlds/"+name+"?ifExists=replace", map[string]any{}, &made)
	var granted struct {
		AccessToken string `json:"accessToken"`
	}
	call(t, "POST", url+"/api/oauth/client/token", made.Credentials, &granted)
	return granted.AccessToken
}

func TestAnApplicationGetsATokenForItsWorld(t *testing.T) {
	url := start(t)
	var accounts struct {
		Data []map[string]any `json:"data"`
	}
	call(t, "GET", url+"/api/accounts", nil, &accounts, "Authorization", "Bearer "+world(t, url, "orders"))
	if len(accounts.Data) == 0 {
		t.Fatal("There are no accounts.")
	}
}

func TestAWebhookReachesAReceiverOnTheHost(t *testing.T) {
	events := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		events <- request.Header.Get("X-Event-Type")
		response.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	address, err := url.Parse(receiver.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		t.Fatal(err)
	}
	sandbox := start(t, port)
	token := world(t, sandbox, "hooks")
	hook := map[string]any{"url": fmt.Sprintf("http://%s:%d/hooks", testcontainers.HostInternal, port), "includeAll": true}
	var ignored any
	call(t, "POST", sandbox+"/api/subscriptions", hook, &ignored, "Authorization", "Bearer "+token, "X-Idempotency-Key", uuid.NewString())
	event := map[string]string{"eventType": "OPERATION_COMPLETED"}
	call(t, "POST", sandbox+"/_sandbox/events", event, &ignored, "X-Sandbox-World", "hooks")
	select {
	case got := <-events:
		if got != "OPERATION_COMPLETED" {
			t.Fatalf("got %s", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("No webhook arrived.")
	}
}
