package guard

import (
	"crypto/subtle"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"unicode"
)

// Paths of the log-in. A wrapped handler cannot use them.
const (
	loginPath  = "/login"
	loginStyle = "/login.css"
	loginCode  = "/login.js"
)

var (
	//go:embed login.html
	loginHTML string
	//go:embed login.css
	loginCSS []byte
	//go:embed login.js
	loginJS []byte

	loginPage = template.Must(template.New("login").Parse(loginHTML))
)

// cookieName contains the port, because browsers share cookies between ports.
func (g *Guard) cookieName() string { return "quintune-" + g.port }

// admitted reports whether a request has the token, or the cookie for which the token was exchanged.
func (g *Guard) admitted(r *http.Request) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if ok && strings.EqualFold(scheme, "Bearer") { // RFC 9110, 11.1: in any case
		return equalSecret(g.token, token)
	}
	cookie, err := r.Cookie(g.cookieName())
	return err == nil && g.isSession(cookie.Value)
}

// logIn answers a request that was not admitted.
func (g *Guard) logIn(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == loginStyle && isReading(r):
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(loginCSS)
	case r.URL.Path == loginCode && isReading(r):
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(loginJS)
	case r.URL.Path == loginPath && r.Method == http.MethodPost:
		g.exchange(w, r)
	case isReading(r) && strings.Contains(r.Header.Get("Accept"), "text/html"):
		g.showLogin(w, r.URL.RequestURI(), "")
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "This page needs its token.", http.StatusUnauthorized)
	}
}

// exchange sets the cookie if the form has the right token.
func (g *Guard) exchange(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "The form cannot be read.", http.StatusBadRequest)
		return
	}
	if !equalSecret(g.token, strings.TrimSpace(r.PostForm.Get("token"))) {
		g.showLogin(w, r.PostForm.Get("to"), "That is not the token.")
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(), Value: g.session, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	})
	leaveLogin(w, r)
}

// leaveLogin sends a browser from the log-in to the page that it wanted. The browser keeps what stands after "#" in its address.
func leaveLogin(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, ownAddress(r.PostFormValue("to")), http.StatusSeeOther)
}

// ownAddress returns path and query of an address of this site. It returns "/" for an address that a browser may take for one elsewhere.
func ownAddress(text string) string {
	u, err := url.Parse(text)
	odd := func(r rune) bool { return r == '\\' || unicode.IsControl(r) }
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") || strings.ContainsFunc(text+u.Path, odd) {
		return "/"
	}
	return u.RequestURI()
}

// showLogin writes the form, which leads to an address of this site.
func (g *Guard) showLogin(w http.ResponseWriter, to, message string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusUnauthorized)
	_ = loginPage.Execute(w, struct{ Path, Style, Code, To, Message string }{loginPath, loginStyle, loginCode, ownAddress(to), message}) // a broken connection
}

// Bounds of the length of a token, in bytes. A token of the least length cannot be found by trying.
const (
	minToken = 16
	maxToken = 1024
)

// ReadToken reads a token from a file that only its owner and group can read. The file has one line of 16 to
// 1024 bytes without blanks. The path "" returns no token. Errors never contain the content.
func ReadToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("token-file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("token-file: %w", err)
	}
	if info.IsDir() {
		return "", fmt.Errorf("token-file: %s is a folder", path)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		return "", fmt.Errorf("token-file: everybody can read %s (mode %04o): chmod 600 %s", path, info.Mode().Perm(), path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxToken+3)) // with a line end, and one byte more to notice that it is too long
	if err != nil {
		return "", fmt.Errorf("token-file: %w", err)
	}
	token := strings.TrimRight(string(data), "\r\n")
	if len(token) < minToken || len(token) > maxToken {
		return "", fmt.Errorf("token-file: the token in %s has %d bytes, outside [%d, %d]", path, len(token), minToken, maxToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return "", fmt.Errorf("token-file: the token in %s holds blanks or unprintable characters", path)
	}
	return token, nil
}

// isSession compares a cookie's value with the session's in constant time.
func (g *Guard) isSession(value string) bool {
	return subtle.ConstantTimeCompare([]byte(g.session), []byte(value)) == 1
}
