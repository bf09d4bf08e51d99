package guard

import (
	"context"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const goodToken = "0123456789abcdef-secret"

// testGuard returns a guard of a listener on port 8080.
func testGuard(t *testing.T, listen, token string) *Guard {
	t.Helper()
	g, err := newGuard(listen, &net.TCPAddr{IP: net.IPv4zero, Port: 8080}, token, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ask sends a request through the guard to a handler that answers "inside" and the size of the body.
func ask(g *Guard, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, "too large", http.StatusRequestEntityTooLarge)
			return
		}
		_, _ = io.WriteString(w, "inside")
	})).ServeHTTP(w, r)
	return w
}

// request returns a request to localhost. headers are name, value, name, value.
func request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost:8080"
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func TestHosts(t *testing.T) {
	tests := []struct {
		listen, host, local string
		want                int
	}{
		{listen: "127.0.0.1:8080", host: "127.0.0.1:8080", want: 200},
		{listen: "127.0.0.1:8080", host: "localhost:8080", want: 200},
		{listen: "127.0.0.1:8080", host: "LocalHost:8080", want: 200},
		{listen: "127.0.0.1:8080", host: "[::1]:8080", want: 200},
		{listen: "127.0.0.1:8080", host: "localhost:9000", want: 200}, // a forwarded port
		{listen: "127.0.0.1:8080", host: "evil.example:8080", want: 421},
		{listen: "127.0.0.1:8080", host: "localhost.evil.example:8080", want: 421},
		{listen: "127.0.0.1:8080", host: "127.0.0.1.evil.example", want: 421},
		{listen: "127.0.0.1:8080", host: "evil.example@localhost:8080", want: 421},
		{listen: "127.0.0.1:8080", host: "localhost:8080/x", want: 421},
		{listen: "127.0.0.1:8080", host: "localhost:80a", want: 421},
		{listen: "127.0.0.1:8080", host: "192.168.1.5:8080", want: 421},
		{listen: "127.0.0.1:8080", host: "", want: 421},
		{listen: "192.168.1.5:8080", host: "192.168.1.5:8080", want: 200},
		{listen: "192.168.1.5:8080", host: "192.168.1.5", want: 421}, // port 80
		{listen: "192.168.1.5:8080", host: "192.168.1.6:8080", want: 421},
		{listen: "Box.lan:8080", host: "box.LAN:8080", want: 200},
		{listen: "0.0.0.0:8080", host: "192.168.1.5:8080", local: "192.168.1.5:8080", want: 200},
		{listen: ":8080", host: "[fd00::7]:8080", local: "[fd00::7]:8080", want: 200},
		{listen: "[::]:8080", host: "192.168.1.5:8080", local: "[::ffff:192.168.1.5]:8080", want: 200},
		{listen: "0.0.0.0:8080", host: "192.168.1.6:8080", local: "192.168.1.5:8080", want: 421},
		{listen: "0.0.0.0:8080", host: "evil.example:8080", local: "192.168.1.5:8080", want: 421},
		{listen: "0.0.0.0:8080", host: "192.168.1.5:8080", want: 421},
	}
	for _, test := range tests {
		t.Run(test.listen, func(t *testing.T) {
			r := request("GET", "/", "", "Host", test.host)
			if test.local != "" {
				local, err := net.ResolveTCPAddr("tcp", test.local)
				if err != nil {
					t.Fatal(err)
				}
				r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local)))
			}
			if w := ask(testGuard(t, test.listen, ""), r); w.Code != test.want || (w.Body.String() == "inside") != (test.want == 200) {
				t.Errorf("listening on %s, Host %q: status %d, want %d", test.listen, test.host, w.Code, test.want)
			}
		})
	}
}

// A name of --host is accepted at the page's port.
func TestFurtherHosts(t *testing.T) {
	bound := &net.TCPAddr{IP: net.IPv4zero, Port: 8080}
	g, err := newGuard("0.0.0.0:8080", bound, "", []string{"Box.lan"})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		"box.lan:8080": 200, "BOX.LAN:8080": 200, "localhost:8080": 200,
		"box.lan": 421, "box.lan:9000": 421, "evil.lan:8080": 421, "sub.box.lan:8080": 421,
	} {
		t.Run(host, func(t *testing.T) {
			if w := ask(g, request("GET", "/", "", "Host", host)); w.Code != want {
				t.Errorf("Host %q: status %d, want %d", host, w.Code, want)
			}
		})
	}
	for _, wrong := range []string{"box.lan:8080", "http://box.lan", "a b", ""} {
		t.Run(wrong, func(t *testing.T) {
			if _, err := newGuard("0.0.0.0:8080", bound, "", []string{wrong}); err == nil || !strings.Contains(err.Error(), "host") {
				t.Errorf("host %q: error %v", wrong, err)
			}
		})
	}
}

// A refused request closes its connection, which does not wait for another request.
func TestRefusedConnectionsAreClosed(t *testing.T) {
	g := testGuard(t, "127.0.0.1:8080", goodToken)
	for _, test := range []struct {
		name    string
		request *http.Request
		closed  bool
	}{
		{"no token", request("GET", "/", ""), true},
		{"foreign host", request("GET", "/", "", "Host", "evil.example"), true},
		{"foreign origin", request("GET", "/", "", "Origin", "https://evil.example"), true},
		{"token", request("GET", "/", "", "Authorization", "Bearer "+goodToken), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := ask(g, test.request).Header().Get("Connection") == "close"; got != test.closed {
				t.Errorf("closed: %v, want %v", got, test.closed)
			}
		})
	}
}

func TestOrigins(t *testing.T) {
	tests := []struct {
		name, method string
		headers      []string
		want         int
	}{
		{name: "no browser", method: "GET", want: 200},
		{name: "no browser posts", method: "POST", want: 200},
		{name: "address typed", method: "GET", headers: []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, want: 200},
		{name: "own script", method: "GET", headers: []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://localhost:8080"}, want: 200},
		{name: "own form", method: "POST", headers: []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://localhost:8080"}, want: 200},
		{name: "own form, no Sec-Fetch", method: "POST", headers: []string{"Origin", "http://localhost:8080"}, want: 200},
		{name: "link from elsewhere", method: "GET", headers: []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, want: 200},
		{name: "frame elsewhere", method: "GET", headers: []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, want: 403},
		{name: "image elsewhere", method: "GET", headers: []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, want: 403},
		{name: "another port of this machine", method: "GET", headers: []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors"}, want: 403},
		{name: "event stream elsewhere", method: "GET", headers: []string{"Origin", "https://evil.example"}, want: 403},
		{name: "form elsewhere", method: "POST", headers: []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, want: 403},
		{name: "form elsewhere, no Sec-Fetch", method: "POST", headers: []string{"Origin", "https://evil.example"}, want: 403},
		{name: "opaque origin", method: "POST", headers: []string{"Origin", "null"}, want: 403},
		{name: "opaque origin reads", method: "GET", headers: []string{"Origin", "null"}, want: 403},
		{name: "question before a foreign method", method: "OPTIONS", headers: []string{"Origin", "https://evil.example", "Access-Control-Request-Method", "PUT"}, want: 403},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if w := ask(testGuard(t, "127.0.0.1:8080", ""), request(test.method, "/", "", test.headers...)); w.Code != test.want {
				t.Errorf("status %d, want %d", w.Code, test.want)
			}
		})
	}
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	g := testGuard(t, "127.0.0.1:8080", goodToken)
	for name, r := range map[string]*http.Request{
		"let in":   request("GET", "/", "", "Authorization", "Bearer "+goodToken),
		"host":     request("GET", "/", "", "Host", "evil.example"),
		"origin":   request("GET", "/", "", "Origin", "null"),
		"no token": request("GET", "/", "", "Accept", "text/html"),
	} {
		t.Run(name, func(t *testing.T) {
			h := ask(g, r).Header()
			if h.Get("Content-Security-Policy") != policy || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("headers %v", h)
			}
		})
	}
	for _, lax := range []string{"unsafe-inline", "unsafe-eval", "*", "http:", "https:"} {
		t.Run(lax, func(t *testing.T) {
			if strings.Contains(policy, lax) {
				t.Errorf("the policy allows %s", lax)
			}
		})
	}
}

func TestBodiesEnd(t *testing.T) {
	g := testGuard(t, "127.0.0.1:8080", "")
	for size, want := range map[int]int{0: 200, MaxBody: 200, MaxBody + 1: 413} {
		if w := ask(g, request("POST", "/", strings.Repeat("x", size))); w.Code != want {
			t.Errorf("%d bytes: status %d, want %d", size, w.Code, want)
		}
	}
}

func TestTokens(t *testing.T) {
	tests := []struct {
		name    string
		headers []string
		want    int
		body    string
	}{
		{name: "nothing", want: 401, body: "This page needs its token"},
		{name: "a browser is shown the form", headers: []string{"Accept", "text/html,*/*"}, want: 401, body: "<form"},
		{name: "bearer", headers: []string{"Authorization", "Bearer " + goodToken}, want: 200, body: "inside"},
		{name: "bearer in small letters", headers: []string{"Authorization", "bearer " + goodToken}, want: 200, body: "inside"},
		{name: "another scheme", headers: []string{"Authorization", "Basic " + goodToken}, want: 401},
		{name: "wrong bearer", headers: []string{"Authorization", "Bearer " + goodToken + "x"}, want: 401},
		{name: "empty bearer", headers: []string{"Authorization", "Bearer "}, want: 401},
		{name: "basic", headers: []string{"Authorization", "Basic " + goodToken}, want: 401},
		{name: "the token is not a cookie", headers: []string{"Cookie", "quintune-8080=" + goodToken}, want: 401},
		{name: "empty cookie", headers: []string{"Cookie", "quintune-8080="}, want: 401},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, path := range []string{"/", "/events", "/metrics"} {
				w := ask(testGuard(t, "0.0.0.0:8080", goodToken), request("GET", path, "", test.headers...))
				if w.Code != test.want || !strings.Contains(w.Body.String(), test.body) || strings.Contains(w.Body.String(), goodToken) {
					t.Errorf("%s, %s: status %d, want %d; body %q", test.name, path, w.Code, test.want, w.Body)
				}
			}
		})
	}
}

// form returns the log-in's POST.
func form(token string, headers ...string) *http.Request { return formTo("/", token, headers...) }

// formTo returns the log-in's POST on the way to an address.
func formTo(to, token string, headers ...string) *http.Request {
	r := request("POST", "/login", url.Values{"token": {token}, "to": {to}}.Encode(), headers...)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func TestLogIn(t *testing.T) {
	g := testGuard(t, "0.0.0.0:8080", goodToken)
	for _, wrong := range []string{"", "x", goodToken[:len(goodToken)-1]} {
		t.Run(wrong, func(t *testing.T) {
			if w := ask(g, form(wrong)); w.Code != 401 || w.Header().Get("Set-Cookie") != "" || !strings.Contains(w.Body.String(), "not the token") {
				t.Errorf("token %q: status %d, cookie %q", wrong, w.Code, w.Header().Get("Set-Cookie"))
			}
		})
	}
	if w := ask(g, form(goodToken, "Origin", "https://evil.example")); w.Code != 403 || w.Header().Get("Set-Cookie") != "" {
		t.Errorf("a foreign form logs in: status %d", w.Code)
	}
	w := ask(g, form(goodToken))
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || len(cookies) != 1 {
		t.Fatalf("status %d, cookies %v", w.Code, cookies)
	}
	c := cookies[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || strings.Contains(c.Value, goodToken) {
		t.Errorf("cookie %v", c)
	}
	if w := ask(g, request("GET", "/", "", "Cookie", c.Name+"="+c.Value)); w.Body.String() != "inside" {
		t.Errorf("the cookie is not enough: status %d", w.Code)
	}
	if w := ask(testGuard(t, "0.0.0.0:8080", goodToken), request("GET", "/", "", "Cookie", c.Name+"="+c.Value)); w.Code != 401 {
		t.Errorf("another start of the program takes the cookie: status %d", w.Code)
	}
}

// The log-in leads to the page that was asked for, whatever the first token, and to no page elsewhere.
func TestLogInLeadsOn(t *testing.T) {
	g := testGuard(t, "0.0.0.0:8080", goodToken)
	for to, want := range map[string]string{
		"/": "/", "/runs/a%2Fb/?x=1&y=2": "/runs/a%2Fb/?x=1&y=2", "/runs/r/#moves=h8": "/runs/r/",
		"": "/", "runs": "/", "?x": "/", "//evil.example": "/", "///evil.example": "/", "/\\evil.example": "/", "\\\\evil.example": "/", "/%2fevil.example": "/", "/%5cevil.example": "/",
		"/\t/evil.example": "/", "/%09/evil.example": "/", "/\n": "/", "http:": "/", "http:/evil.example": "/", "https://evil.example/": "/", "javascript:alert(1)": "/", " //evil.example": "/", "/%zz": "/",
	} {
		t.Run(to, func(t *testing.T) {
			w := ask(g, formTo(to, goodToken))
			if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != want {
				t.Errorf("from %q: status %d, to %q, want %q", to, w.Code, got, want)
			}
			field := `name="to" value="` + html.EscapeString(want) + `"`
			if w := ask(g, formTo(to, "wrong")); !strings.Contains(w.Body.String(), field) {
				t.Errorf("from %q: the form lacks %s: %s", to, field, w.Body)
			}
		})
	}
	w := ask(g, request("GET", "/runs/r/?x=1", "", "Accept", "text/html"))
	if want := `name="to" value="/runs/r/?x=1"`; !strings.Contains(w.Body.String(), want) {
		t.Errorf("the form lacks %s: %s", want, w.Body)
	}
}

// A log-in of who is logged in already, as with the form of another tab, leads on.
func TestLogInAgain(t *testing.T) {
	g := testGuard(t, "0.0.0.0:8080", goodToken)
	cookie := ask(g, form(goodToken)).Result().Cookies()[0]
	session := []string{"Cookie", cookie.Name + "=" + cookie.Value}
	for _, test := range []struct {
		name string
		r    *http.Request
		want string
	}{
		{"a form", formTo("/runs/r/", goodToken, session...), "/runs/r/"},
		{"a form with another token", formTo("//evil.example", "wrong", session...), "/"},
		{"the address", request("GET", "/login", "", session...), "/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if w := ask(g, test.r); w.Code != http.StatusSeeOther || w.Header().Get("Location") != test.want {
				t.Errorf("status %d, to %q, want %q", w.Code, w.Header().Get("Location"), test.want)
			}
		})
	}
}
