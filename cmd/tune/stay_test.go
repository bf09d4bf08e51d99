package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"quintune/internal/config"
)

// doneWatcher calls do with the text of a log when it contains a word.
type doneWatcher struct {
	log  bytes.Buffer
	word string
	do   func(log string)
}

func (w *doneWatcher) Write(p []byte) (int, error) {
	n, err := w.log.Write(p)
	if w.do != nil && strings.Contains(w.log.String(), w.word) {
		do := w.do
		w.do = nil
		do(w.log.String())
	}
	return n, err
}

// With --stay the page of a run is still served after its end, with the verdict, until Ctrl-C. Then the exit
// status is 0. The log names the page for other machines without its token.
func TestThePageStays(t *testing.T) {
	inFolder(t)
	const token = "0123456789abcdef-secret"
	if err := os.WriteFile("token", []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stayed := make(chan string, 1)
	go func() {
		defer cancel()
		address := regexp.MustCompile(`http://[0-9.:]+/`).FindString(<-stayed)
		request, err := http.NewRequest(http.MethodGet, address+"metrics", nil)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("the page answers %s", answer.Status)
		}
	}()
	log := &doneWatcher{word: "its page stays", do: func(log string) { stayed <- log }}
	var out bytes.Buffer
	err := execute(ctx, quick("run", "--budget", "100games", "--no-gate", "--name", "r", "--listen", "127.0.0.1:0", "--host", "box.lan", "--token-file", "token", "--stay"), strings.NewReader(""), &out, log)
	if config.Exit(err) != config.ExitDone || !strings.Contains(out.String(), "unproven: weights.json written") {
		t.Errorf("status %d: %s%s", config.Exit(err), out.String(), log.log.String())
	}
	if text := log.log.String(); !strings.Contains(text, "address=http://box.lan:") || strings.Contains(text, token) {
		t.Errorf("no address of box.lan, or the token, in %s", text)
	}
	if _, log, status := tune(t, quick("run", "--budget", "100games", "--host", "box")...); status != config.ExitUsage || !strings.Contains(log, "host: there is no page without --listen") {
		t.Errorf("--host without a page: status %d\n%s", status, log)
	}
	if _, log, status := tune(t, quick("run", "--budget", "100games", "--stay")...); status != config.ExitUsage || !strings.Contains(log, "stay: there is no page without --listen") {
		t.Errorf("without a page: status %d: %s", status, log)
	}
}

// At the end of a run an address receives the object of --json. If that fails, the run does not fail.
func TestTheEndOfARunIsTold(t *testing.T) {
	inFolder(t)
	var told map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&told); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	o := object(t, done(t, quick("run", "--budget", "100games", "--no-gate", "--name", "r", "--notify", server.URL+"/hook", "--json")...))
	if told["verdict"] != "unproven" || told["name"] != "r" || told["candidate"] != o["candidate"] || told["games"] != o["games"] {
		t.Errorf("told was %v, --json has %v", told, o)
	}
	_, log, status := tune(t, quick("run", "--budget", "100games", "--no-gate", "--name", "s", "--out", "s.json", "--notify", "http://127.0.0.1:1/secret")...)
	if status != config.ExitDone || !strings.Contains(log, "level=WARN msg=\"nobody was told of the end of the run\"") || strings.Contains(log, "secret") {
		t.Errorf("status %d: %s", status, log)
	}
	if _, log, status := tune(t, quick("run", "--budget", "100games", "--notify", "pigeon")...); status != config.ExitUsage || !strings.Contains(log, "notify is neither desktop nor an address") {
		t.Errorf("status %d: %s", status, log)
	}
}
