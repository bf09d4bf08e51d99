package play

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/internal/webui/browsertest"
	"quintune/internal/webui/guard"
	"quintune/weights"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(browsertest.Tests{M: m}) }

// site is the page behind its guard, as in the program.
type site struct {
	t      *testing.T
	server *Server
	url    string // without a slash at the end
	client *http.Client
}

// open serves the page for the test.
func open(t *testing.T) *site {
	t.Helper()
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	server, err := New(Config{
		Weights: player.Of("huang", set), Strength: session.Strength{Nodes: 200}, Searches: 2, Threads: 1, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	listening, err := guard.Open(ctx, "127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- listening.Serve(ctx, server, slog.New(slog.DiscardHandler)) }()
	s := &site{t: t, server: server, url: listening.URL()[:len(listening.URL())-1], client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

// do makes a request and returns status and body.
func (s *site) do(method, path, kind string, body io.Reader) (int, []byte) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, data
}

// post sends JSON, decodes the answer and returns the status.
func (s *site) post(path string, object, into any) int {
	s.t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		s.t.Fatal(err)
	}
	status, answer := s.do("POST", path, "application/json", bytes.NewReader(data))
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			s.t.Fatalf("%s: %v in %s", path, err, answer)
		}
	}
	return status
}

// game begins a game and returns it.
func (s *site) game(want newRequest) gameView {
	s.t.Helper()
	if want.Size == 0 {
		want.Size = 15
	}
	if want.Rule == "" {
		want.Rule = "freestyle"
	}
	var v gameView
	if status := s.post("/api/games", want, &v); status != http.StatusCreated {
		s.t.Fatalf("status %d for %+v", status, want)
	}
	return v
}

// engine returns a seat with few nodes.
func engine(name string) seatRequest {
	return seatRequest{Player: name, strengthView: strengthView{Nodes: 200}}
}

// lines decodes JSON lines.
func lines[T any](t *testing.T, data []byte) (list []T) {
	t.Helper()
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatalf("%v in %s", err, scanner.Text())
		}
		list = append(list, v)
	}
	return list
}
