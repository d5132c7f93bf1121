// Package payouts is the application under test: it pays out of an account, and verifies webhooks.
package payouts

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Payouts is a client of the payments API.
type Payouts struct {
	URL, ClientID, ClientSecret string
	token                       string
}

type object = map[string]any

// Call sends a request with an idempotency key, and repeats it with the same key if no response arrived.
func (p *Payouts) Call(method, path string, body, into any) error {
	if p.token == "" {
		var granted struct{ AccessToken string }
		credentials := object{"clientId": p.ClientID, "clientSecret": p.ClientSecret}
		if err := p.send("POST", "/api/oauth/client/token", credentials, &granted, nil); err != nil {
			return err
		}
		p.token = granted.AccessToken
	}
	headers := map[string]string{"Authorization": "Bearer " + p.token, "X-Idempotency-Key": newKey()}
	var err error
	for try := 0; try < 3; try++ {
		if err = p.send(method, path, body, into, headers); err == nil || !isUnknown(err) {
			return err
		}
	}
	return err
}

// refusal is an error response: the request had no effect.
type refusal struct {
	Status        int
	Code, Message string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s: %s", r.Status, r.Code, r.Message) }

// isUnknown is true if the request may have had an effect.
func isUnknown(err error) bool {
	known, ok := err.(*refusal)
	return !ok || known.Status >= 500
}

func (p *Payouts) send(method, path string, body, into any, headers map[string]string) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	var sent io.Reader
	if body != nil {
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, p.URL+path, sent)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		failure := &refusal{Status: response.StatusCode}
		_ = json.NewDecoder(response.Body).Decode(failure)
		return failure
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// Pay pays an amount in BRL to a beneficiary. It returns the id of the operation, which is REQUESTED.
func (p *Payouts) Pay(beneficiary, instruction, amount string) (string, error) {
	var accounts struct{ Data []struct{ ID string } }
	if err := p.Call("GET", "/api/accounts?limit=1&sortOrder=ASCENDING", nil, &accounts); err != nil {
		return "", err
	}
	account := accounts.Data[0].ID
	var quote, operation struct{ ID string }
	asked := object{"accountId": account, "sourceAsset": "BRL", "targetAsset": "BRL", "sourceAmount": amount}
	if err := p.Call("POST", "/api/quotes", asked, &quote); err != nil {
		return "", err
	}
	target := object{"type": "REFERENCE", "id": beneficiary, "paymentInstruction": object{"type": "REFERENCE", "id": instruction}}
	withdrawal := object{"accountId": account, "quoteId": quote.ID, "beneficiary": target}
	err := p.Call("POST", "/api/operations/withdrawal", withdrawal, &operation)
	return operation.ID, err
}

// IsGenuine verifies X-Message-Signature: HMAC-SHA256 of the message id and the client id. It does not cover the body.
func (p *Payouts) IsGenuine(messageID, signature string) bool {
	mac := hmac.New(sha256.New, []byte(p.ClientSecret))
	mac.Write([]byte(messageID + "+" + p.ClientID))
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

func newKey() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	random[6], random[8] = random[6]&0x0f|0x40, random[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:])
}
