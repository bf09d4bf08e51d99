package guard

import (
	_ "embed"
	"html/template"
	"net/http"
	"strings"
)

// The log-in's own paths; a handler that is wrapped cannot use them.
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

// cookieName differs from port to port, since cookies do not.
func (g *Guard) cookieName() string { return "quintune-" + g.port }

// admitted reports whether a request carries the token, or the cookie that it was exchanged for.
func (g *Guard) admitted(r *http.Request) bool {
	if text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return equalSecret(g.token, text)
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
		g.showLogin(w, "")
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "This page needs its token.", http.StatusUnauthorized)
	}
}

// exchange gives the cookie for the token of the form.
func (g *Guard) exchange(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "The form cannot be read.", http.StatusBadRequest)
		return
	}
	if !equalSecret(g.token, strings.TrimSpace(r.PostForm.Get("token"))) {
		g.showLogin(w, "That is not the token.")
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(), Value: g.session, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (g *Guard) showLogin(w http.ResponseWriter, message string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusUnauthorized)
	_ = loginPage.Execute(w, struct{ Path, Style, Code, Message string }{loginPath, loginStyle, loginCode, message}) // a broken connection
}
