// Package guard keeps a local page to the people it is for. Both programs serve their pages through
// it: `tune run --listen`, `tune resume --listen`, `tune watch` and `play web`.
//
// Open listens; Site.Serve puts these walls around a handler:
//
//   - Host: loopback names, the listen address and the names of --host alone, so a foreign name that was made to point
//     here (DNS rebinding) is refused with 421.
//   - Origin: a request that a page of another origin caused is refused with 403, whatever its
//     method; a plain link to a page is not.
//   - Size: request bodies end after MaxBody bytes.
//   - Token: where the address is not a loopback address, or a token is given, every path but the log-in
//     wants the token. A browser exchanges it on a small form for an HttpOnly, SameSite=Strict cookie that
//     does not hold it; programs send it as `Authorization: Bearer`. It is compared in constant
//     time, and written nowhere but into the links that the program shows to who started it.
//   - Headers: a content security policy under which a page loads from its own origin alone, runs no
//     inline script or style and assigns no HTML from strings.
//
// What a handler still has to do itself: change nothing on GET and HEAD, escape names and messages
// (html/template; textContent in scripts), and end when its request's context does, as event streams must.
package guard

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// MaxBody bounds the size of a request's body, in bytes.
const MaxBody = 1 << 20

// bodyTime bounds the time in which the body of an admitted request must arrive.
const bodyTime = 30 * time.Second

// policy is the content security policy of every answer. Scripts and styles are files of their own. Under
// trusted types a script cannot assign markup from a string (innerHTML), so no name of an engine or a file can
// become markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// Guard decides which requests reach a handler. Safe for concurrent use.
type Guard struct {
	name    string // host of the listen address, lower case; "" for all addresses
	port    string
	hosts   []string           // further names, lower case
	token   *[sha256.Size]byte // nil: no token is required
	session string             // value of the cookie
	unsafe  *http.CrossOriginProtection
}

// newGuard returns the guard of a listener. given is the address as the user wrote it, whose port may be 0;
// bound is the actual one. token is "" where none is required.
func newGuard(given string, bound net.Addr, token string, hosts []string) (*Guard, error) {
	name, _, err := net.SplitHostPort(given)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(bound.String())
	if err != nil {
		return nil, err
	}
	g := &Guard{name: strings.ToLower(name), port: port, unsafe: http.NewCrossOriginProtection()}
	for _, host := range hosts {
		if plain, _, ok := splitHost(host); !ok || plain != strings.ToLower(host) {
			return nil, fmt.Errorf("%w: host: %.80q is not the name of a host", errAddress, host)
		}
		g.hosts = append(g.hosts, strings.ToLower(host))
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.IsUnspecified() {
		g.name = ""
	}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		g.token = &sum
		secret := make([]byte, sha256.Size)
		rand.Read(secret) // never fails
		g.session = hex.EncodeToString(secret)
	}
	return g, nil
}

// Wrap returns the handler behind the guard.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header())
		if hasBody(r) {
			r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		}
		readWithin(w, r, headerTime)
		switch {
		case !g.allowedHost(r):
			w.Header().Set("Connection", "close")
			http.Error(w, "This host name is not served here; --host NAME allows one.", http.StatusMisdirectedRequest)
			return
		case !g.sameOrigin(r):
			w.Header().Set("Connection", "close")
			http.Error(w, "A page of another origin may not ask for this.", http.StatusForbidden)
			return
		}
		if g.token != nil && !g.admitted(r) {
			w.Header().Set("Connection", "close")
			g.logIn(w, r)
			return
		}
		if g.token != nil && r.URL.Path == loginPath { // the form of another tab
			leaveLogin(w, r)
			return
		}
		readWithin(w, r, bodyTime)
		next.ServeHTTP(w, r)
	})
}

func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

// readWithin bounds the time in which the body must arrive, where there is one.
func readWithin(w http.ResponseWriter, r *http.Request, d time.Duration) {
	if hasBody(r) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(d)) // test recorders have none
	}
}

func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	// Not no-referrer, with which browsers send forms with "Origin: null".
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
}

// equalSecret compares in constant time.
func equalSecret(sum *[sha256.Size]byte, text string) bool {
	other := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], other[:]) == 1
}
