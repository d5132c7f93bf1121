// go test, with github.com/testcontainers/testcontainers-go in go.mod.
package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// docker build -t crossborder-sandbox . in this repository
const image = "crossborder-sandbox"

func start(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	container, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        image,
			Env:          map[string]string{"SANDBOX_DATA": "memory"},
			ExposedPorts: []string{"4010/tcp"},
			WaitingFor:   wait.ForHTTP("/_sandbox/health/ready").WithPort("4010/tcp"),
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

func call(t *testing.T, method, url string, body, answer any, token string) {
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
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
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

func TestAnApplicationGetsATokenForAWorldOfItsOwn(t *testing.T) {
	url := start(t)
	var world struct {
		Credentials struct {
			ClientID     string `json:"clientId"`
			ClientSecret string `json:"clientSecret"`
		} `json:"credentials"`
	}
	call(t, "PUT", url+"/_sandbox/worlds/orders", map[string]any{"clock": map[string]string{"mode": "FROZEN"}}, &world, "")
	var granted struct {
		AccessToken string `json:"accessToken"`
	}
	call(t, "POST", url+"/api/oauth/client/token", world.Credentials, &granted, "")
	var accounts struct {
		Data []map[string]any `json:"data"`
	}
	call(t, "GET", url+"/api/accounts", nil, &accounts, granted.AccessToken)
	if len(accounts.Data) == 0 {
		t.Fatal("There are no accounts.")
	}
}
