package guard

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// serve serves a handler without a token until the test ends and returns its address.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	site, err := Open(t.Context(), "127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- site.Serve(ctx, handler, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return site.listener.Addr().String()
}

// connect opens a connection from an address of this machine and sends what is given.
func connect(t *testing.T, from, to, request string) net.Conn {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := dialer.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return c
}

// answered reports whether the connection answers.
func answered(t *testing.T, c net.Conn) bool {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	return err == nil && strings.Contains(line, " 200 ")
}

const simpleRequest = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

// However many idle connections there are, an honest request is answered at once.
func TestIdleConnectionsGiveWay(t *testing.T) {
	for _, test := range []struct{ name, sent string }{
		{"silent ones", ""},
		{"ones that were answered", simpleRequest},
		{"ones with half a request", "GET / HTTP/1.1\r\nHost: local"},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := serve(t, func(http.ResponseWriter, *http.Request) {})
			for range 1000 {
				c := connect(t, "127.0.0.1", address, test.sent)
				if test.sent == simpleRequest && !answered(t, c) {
					t.Fatal("a request is not answered")
				}
			}
			if !answered(t, connect(t, "127.0.0.1", address, simpleRequest)) {
				t.Error("an honest request waits")
			}
		})
	}
}

// Long requests from one address cannot take the places of other addresses.
func TestBoundOfAnAddress(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		if r.URL.Path == "/stream" {
			<-r.Context().Done()
		}
	})
	stream := strings.Replace(simpleRequest, "GET /", "GET /stream", 1)
	for range addrConns {
		if !answered(t, connect(t, "127.0.0.1", address, stream)) {
			t.Fatal("a stream within the bound is refused")
		}
	}
	if answered(t, connect(t, "127.0.0.1", address, stream)) {
		t.Errorf("a stream beyond %d is answered", addrConns)
	}
	if !answered(t, connect(t, "127.0.0.2", address, simpleRequest)) {
		t.Error("another address is refused")
	}
}

// A client that reads nothing is waited for a while, not for ever.
func TestWritesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		c := &conn{Conn: ours, limiter: limit(nil, 1, 1)}
		defer c.Close()
		began := time.Now()
		if _, err := c.Write([]byte("answer")); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != writeTime {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// A request that is refused ends soon, though its body never comes.
func TestRefusedRequestsDoNotWaitForTheirBodies(t *testing.T) {
	address := serve(t, func(http.ResponseWriter, *http.Request) {})
	for name, header := range map[string]string{"host": "Host: evil.example", "origin": "Host: localhost\r\nOrigin: https://evil.example"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, "127.0.0.1", address, "POST / HTTP/1.1\r\n"+header+"\r\nContent-Length: 1000\r\n\r\n")
			if err := c.SetReadDeadline(time.Now().Add(2 * headerTime)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, c); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAddressOf(t *testing.T) {
	for _, test := range []struct{ a, b string }{
		{"192.168.1.5:80", "[::ffff:192.168.1.5]:99"},
		{"[2001:db8::1]:80", "[2001:db8::ffff:1]:80"},
		{"[::1]:80", "[::1]:81"},
	} {
		t.Run(test.a, func(t *testing.T) {
			if a, b := prefix(t, test.a), prefix(t, test.b); a != b {
				t.Errorf("%s counts as %s, %s as %s", test.a, a, test.b, b)
			}
		})
	}
	if prefix(t, "192.168.1.5:80") == prefix(t, "192.168.1.6:80") || prefix(t, "[2001:db8::1]:80") == prefix(t, "[2001:db9::1]:80") {
		t.Error("two machines count as one")
	}
}

func prefix(t *testing.T, address string) string {
	t.Helper()
	a, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return addressOf(a).String()
}

func TestLinks(t *testing.T) {
	const token = "0123456789 &#+abcdef"
	for _, test := range []struct {
		name, listen, token string
		hosts               []string
		want                string // expected only link, with PORT for the port; "" for none
	}{
		{name: "this machine alone", listen: "127.0.0.1:0"},
		{name: "this machine alone with a token", listen: "127.0.0.1:0", token: token},
		{name: "a name", listen: "0.0.0.0:0", token: token, hosts: []string{"Box.lan"}, want: "http://box.lan:PORT/#token=0123456789+%26%23%2Babcdef"},
	} {
		t.Run(test.name, func(t *testing.T) {
			site, err := Open(t.Context(), test.listen, test.token, test.hosts...)
			if err != nil {
				t.Fatal(err)
			}
			defer site.Close()
			got := strings.Join(site.Links(), " ")
			if want := strings.Replace(test.want, "PORT", site.guard.port, 1); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
