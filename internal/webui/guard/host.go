package guard

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// allowedHost reports whether the request's Host may be served: a loopback name with any port (ports may be
// forwarded), the listen address, or a further host. Where the guard listens on all addresses, Host must be the
// address, not a name, at which the connection came in.
func (g *Guard) allowedHost(r *http.Request) bool {
	host, port, ok := splitHost(r.Host)
	if !ok {
		return false
	}
	if isLoopbackName(host) {
		return true
	}
	if port != g.port {
		return false
	}
	if slices.Contains(g.hosts, host) {
		return true
	}
	if g.name != "" {
		return host == g.name
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	arrived, err := netip.ParseAddrPort(local.String())
	asked, err2 := netip.ParseAddr(host)
	return err == nil && err2 == nil && arrived.Addr().Unmap().WithZone("") == asked.Unmap().WithZone("")
}

// splitHost returns the host of a Host header in lower case without brackets, and its port, by
// default HTTP's.
func splitHost(text string) (host, port string, ok bool) {
	u, err := url.Parse("http://" + text)
	if err != nil || u.Host != text || u.Hostname() == "" {
		return "", "", false
	}
	if port = u.Port(); port == "" {
		port = "80"
	}
	return strings.ToLower(u.Hostname()), port, true
}

// isLoopbackName reports whether a host is localhost or a loopback address.
func isLoopbackName(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// sameOrigin reports whether the request was not caused by a page of another origin. Browsers name the cause in
// Sec-Fetch-Site, where the address is loopback or encrypted, and in Origin. Other programs send neither.
func (g *Guard) sameOrigin(r *http.Request) bool {
	if err := g.unsafe.Check(r); err != nil {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	// A link on another page may open this one; that page cannot read the answer.
	return isReading(r) && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

func isReading(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}
