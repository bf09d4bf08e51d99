// Package notify reports the end of a run to people who are not watching: by a request to an address, or on the
// desktop.
package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"time"
)

// desktop is the target that is this machine's desktop.
const desktop = "desktop"

// patience is how long an address may take to answer.
const patience = 10 * time.Second

// Check returns an error that continues the name of an option when a target is neither desktop nor a web address.
func Check(target string) error {
	if target == desktop {
		return nil
	}
	if u, err := url.Parse(target); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("is neither %s nor an address that begins with http:// or https://", desktop)
	}
	return nil
}

// Message is the content of a notification.
type Message struct {
	Title  string // one line
	Words  string // for the desktop
	Object any    // for an address, as JSON
}

// Send sends the message to the target. Errors do not contain the address, which may contain a secret.
func Send(ctx context.Context, target string, m *Message) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if target == desktop {
		return show(ctx, m)
	}
	return post(ctx, target, m)
}

// show opens a notification where the desktop has a program for it.
func show(ctx context.Context, m *Message) error {
	program, err := exec.LookPath("notify-send")
	if err != nil {
		return errors.New("notify: there is no notify-send on this machine")
	}
	if err := exec.CommandContext(ctx, program, "--app-name=Quintune", "--", m.Title, m.Words).Run(); err != nil {
		return fmt.Errorf("notify: notify-send: %w", err)
	}
	return nil
}

// post sends the object to an address. Redirections are not followed.
func post(ctx context.Context, address string, m *Message) error {
	data, err := json.Marshal(m.Object)
	if err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(data))
	if err != nil {
		return errors.New("notify: the address is malformed")
	}
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(request)
	if err != nil {
		var of *url.Error
		if errors.As(err, &of) {
			err = of.Err
		}
		return fmt.Errorf("notify: %s: %w", request.URL.Host, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("notify: %s answered %s", request.URL.Host, answer.Status)
	}
	return nil
}
