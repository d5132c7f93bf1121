// Package sandbox gives each test a world of the crossborder-sandbox at SANDBOX_URL. It needs only the standard library: copy this file.
package sandbox

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Object is a JSON object of the control API. Numbers are json.Number.
type Object = map[string]any

// Options are the optional settings of a world. Zero values are the defaults of the sandbox.
type Options struct {
	At       time.Time // World time of the frozen clock. Default: now
	Scenario string
	Seed     string
	Fixtures string // "default" or "empty"
	Negative bool   // True for a test that misuses the API on purpose: its findings fail no report.
}

// Error is an error response of the control API. Status is 0 without a response.
type Error struct {
	Status  int
	Code    string
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d %s)", e.Message, e.Status, e.Code) }

// World is a world with a frozen clock. Its methods fail the test if the control API returns an error.
type World struct {
	Name         string
	URL          string // Base URL of the payments API
	ClientID     string
	ClientSecret string

	t          *testing.T
	controlURL string
	token      string
}

var (
	client      = &http.Client{Timeout: 90 * time.Second} // Longer than the sandbox takes for any request.
	run         = randomHex(3)
	created     int64
	notSlug     = regexp.MustCompile(`[^a-z0-9]+`)
	unprintable = regexp.MustCompile(`[^ -~]`)
	isOfWorld   = regexp.MustCompile(`^client-[^:]+:.`)
)

// NewWorld creates a world for a test and deletes it after the test. If the test fails, its output includes the story of the world,
// and the world stays for an hour.
func NewWorld(t *testing.T, options ...Options) *World {
	t.Helper()
	base := strings.TrimRight(strings.TrimSpace(os.Getenv("SANDBOX_URL")), "/")
	if base == "" {
		t.Fatal("There is no sandbox for the tests. Start one (docker run --rm -p 127.0.0.1:4010:4010 crossborder-sandbox) " +
			"and set SANDBOX_URL=http://127.0.0.1:4010.")
	}
	control := strings.TrimRight(strings.TrimSpace(os.Getenv("SANDBOX_CONTROL_URL")), "/")
	if control == "" {
		control = base
	}
	w := &World{Name: worldName(t.Name()), URL: base, t: t, controlURL: control, token: strings.TrimSpace(os.Getenv("SANDBOX_CONTROL_TOKEN"))}
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	clock := Object{"mode": "FROZEN"}
	if !o.At.IsZero() {
		clock["now"] = o.At.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	body := Object{"clock": clock, "ttl": "1h"}
	for name, value := range map[string]string{"scenario": o.Scenario, "seed": o.Seed, "fixtures": o.Fixtures} {
		if value != "" {
			body[name] = value
		}
	}
	var made struct {
		Credentials struct{ ClientID, ClientSecret string }
	}
	w.Control("PUT", "/worlds/"+w.Name+"?ifExists=replace", body, &made)
	w.ClientID, w.ClientSecret = made.Credentials.ClientID, made.Credentials.ClientSecret
	t.Cleanup(w.end)
	if o.Negative {
		w.Control("PUT", "/test", Object{"name": cut(unprintable.ReplaceAllString(t.Name(), " "), 200), "negative": true}, nil)
	}
	return w
}

func (w *World) end() {
	if !w.t.Failed() {
		w.Control("DELETE", "/worlds/"+w.Name, nil, nil)
		return
	}
	story, err := w.story()
	if err != nil {
		story = "The story of this world is not available: " + err.Error()
	}
	w.t.Logf("World %s is kept for an hour: %s/_sandbox/console/%s\n%s", w.Name, w.controlURL, w.Name, story)
}

// Env returns the environment variables with which an application connects to this world.
func (w *World) Env() map[string]string {
	return map[string]string{
		"SANDBOX_URL": w.URL, "SANDBOX_WORLD": w.Name, "SANDBOX_CLIENT_ID": w.ClientID, "SANDBOX_CLIENT_SECRET": w.ClientSecret,
	}
}

// Control sends a request to the control API. The path follows /_sandbox and may have a query. The response is decoded into `into`,
// unless that is nil.
func (w *World) Control(method, path string, body, into any) {
	w.t.Helper()
	if err := w.send(method, path, body, into); err != nil {
		w.t.Fatal(err)
	}
}

func (w *World) send(method, path string, body, into any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, w.controlURL+"/_sandbox"+path, sent)
	if err != nil {
		return err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if !strings.HasPrefix(path, "/worlds/") {
		request.Header.Set("X-Sandbox-World", w.Name)
	}
	if isOfWorld.MatchString(w.token) { // The credentials of a world.
		request.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(w.token)))
	} else if w.token != "" {
		request.Header.Set("Authorization", "Bearer "+w.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("no sandbox responds at %s: %w; start one, or set SANDBOX_URL to its address", w.controlURL, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 400 {
		failure := &Error{Status: response.StatusCode}
		if json.Unmarshal(text, failure) != nil || failure.Code == "" {
			failure.Code, failure.Message = "NOT_A_SANDBOX", fmt.Sprintf("%s does not respond as a sandbox does: %.200q", w.controlURL, text)
		}
		failure.Message += " [" + method + " " + path + "]"
		return failure
	}
	if into == nil || len(text) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// First returns the first item of a list that matches the filters, for example First("beneficiaries", "status[eq]=APPROVED"). It fails
// the test if no item matches.
func (w *World) First(resource, filters string) Object {
	w.t.Helper()
	if all := w.List(resource, filters); len(all) > 0 {
		return all[0]
	}
	w.t.Fatalf("The list %s of world %s has no item with %s.", resource, w.Name, filters)
	return nil
}

// List returns up to 100 items of a list of this world.
func (w *World) List(resource, filters string) []Object {
	w.t.Helper()
	var page struct{ Data []Object }
	w.Control("GET", "/"+resource+"?limit=100&filters="+url.QueryEscape(filters), nil, &page)
	return page.Data
}

// Advance advances the frozen clock by a duration, for example "30s", with the webhooks that become due.
func (w *World) Advance(by string) {
	w.t.Helper()
	w.Control("POST", "/clock/advance", Object{"by": by}, nil)
}

// Fault injects a fault, for example Object{"on": "REQUEST", "times": 1, "effect": Object{"connectionReset": true}}.
func (w *World) Fault(rule Object) {
	w.t.Helper()
	w.Control("POST", "/faults", rule, nil)
}

// Findings returns what the application did wrong, if no more requests follow.
func (w *World) Findings() []Object {
	w.t.Helper()
	var found struct{ Data []Object }
	w.Control("GET", "/findings?final=true", nil, &found)
	return found.Data
}

// RunTo advances the frozen clock from timer to timer until an operation has a status, and returns the operation.
func (w *World) RunTo(operationID, status string) Object {
	w.t.Helper()
	for {
		var why struct {
			Status string
			Notes  []string
			Plan   *struct {
				IsWaiting bool
				Steps     []struct{ Outcome string }
			}
		}
		w.Control("GET", "/why/"+operationID, nil, &why)
		if why.Status == status {
			return w.First("operations", "id[eq]="+operationID)
		}
		var clock struct{ Mode, NextTimerAt string }
		w.Control("GET", "/clock", nil, &clock)
		isPending := false
		if why.Plan != nil && !why.Plan.IsWaiting {
			for _, step := range why.Plan.Steps {
				isPending = isPending || step.Outcome == "NEXT" || step.Outcome == "LATER"
			}
		}
		if clock.Mode != "FROZEN" || clock.NextTimerAt == "" || !isPending {
			w.t.Fatalf("No timer leads operation %s from %s to %s; the clock is %s. %s", operationID, why.Status, status, clock.Mode, strings.Join(why.Notes, " "))
		}
		w.Control("POST", "/clock/advance", Object{"to": clock.NextTimerAt}, nil)
	}
}

// InboxURL returns the URL of a webhook receiver inside the sandbox, for a subscription.
func (w *World) InboxURL(name string) string {
	w.t.Helper()
	var status struct{ InternalURL string }
	w.Control("GET", "", nil, &status)
	return status.InternalURL + "/_sandbox/inbox/" + url.PathEscape(name) + "?world=" + w.Name
}

// Message is a webhook that an inbox received. Names of headers are in lower case.
type Message struct {
	Headers map[string]string
	Body    string
}

// WaitForWebhook waits up to 10 seconds for a webhook of a type about a resource in an inbox; earlier webhooks count too.
func (w *World) WaitForWebhook(inbox, eventType, resourceID string) Message {
	w.t.Helper()
	var page struct{ Data []Message }
	query := url.Values{"eventType": {eventType}, "resourceId": {resourceID}, "timeoutMs": {"10000"}}
	w.Control("GET", "/inbox/"+url.PathEscape(inbox)+"/await?"+query.Encode(), nil, &page)
	return page.Data[0]
}

// story returns one line for each of the newest 500 requests, statuses, webhooks, postings and findings.
func (w *World) story() (string, error) {
	var page struct {
		Data []struct {
			At, Summary, Status string
			Request             *struct{ Outcome string }
		}
	}
	query := "kinds=REQUEST,CONTROL,STATE,DELIVERY,LEDGER,FINDING&reads=false&counts=false&limit=500"
	if err := w.send("GET", "/timeline?"+query, nil, &page); err != nil {
		return "", err
	}
	var lines []string
	for i := len(page.Data) - 1; i >= 0; i-- {
		item := page.Data[i]
		line := item.At + " " + item.Summary
		if request := item.Request; request != nil {
			line += strings.TrimRight(": "+item.Status+" "+strings.TrimPrefix(request.Outcome, "DELIVERED"), ": ")
		}
		lines = append(lines, line)
	}
	var clock struct {
		Now, Mode     string
		PendingTimers int
	}
	if err := w.send("GET", "/clock", nil, &clock); err != nil {
		return "", err
	}
	lines = append(lines, fmt.Sprintf("%s, %s, timers waiting: %d", clock.Now, clock.Mode, clock.PendingTimers))
	return strings.Join(lines, "\n"), nil
}

// worldName returns a new name that begins with the name of the test.
func worldName(test string) string {
	hash := sha256.Sum256([]byte(fmt.Sprint(test, atomic.AddInt64(&created, 1))))
	readable := run + "-" + strings.Trim(notSlug.ReplaceAllString(strings.ToLower(test), "-"), "-")
	return strings.TrimRight(cut(readable, 54), "-") + "-" + hex.EncodeToString(hash[:4])
}

func cut(text string, length int) string {
	if len(text) > length {
		return text[:length]
	}
	return text
}

func randomHex(bytes int) string {
	random := make([]byte, bytes)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return hex.EncodeToString(random)
}
