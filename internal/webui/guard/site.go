package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"
)

// Limits of a connection. An answer has no time limit, because event streams are long.
const (
	headerTime = 5 * time.Second  // for a header, and for the body of a request that is not admitted
	writeTime  = 30 * time.Second // for writePart bytes of an answer
	writePart  = 64 << 10         // bytes
	idleTime   = 2 * time.Minute  // for a connection that was admitted; others are closed after each answer
	endTime    = 2 * time.Second  // for open requests when the site ends
	maxHeader  = 16 << 10         // bytes
	maxConns   = 256
	addrConns  = 64 // connections of one address
)

// Errors of what the user asked for: an address that other machines reach, without a token; an address or a name that is malformed.
var (
	errToken   = errors.New("is reachable from other machines, which needs a token (--token-file)")
	errAddress = errors.New("malformed address")
)

// Misused reports whether an error of Open is one of what the user asked for, not of the network.
func Misused(err error) bool { return errors.Is(err, errToken) || errors.Is(err, errAddress) }

// Site is a page whose address is bound.
type Site struct {
	listener net.Listener
	guard    *Guard
	token    string
}

// Open listens at an address, HOST:PORT; port 0 stands for any free port. token is the content of ReadToken. It
// may be "" for a loopback address only. hosts are further names by which other machines reach the page; "" is
// ignored.
func Open(ctx context.Context, address, token string, hosts ...string) (*Site, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if malformed := (*net.AddrError)(nil); address == "" || errors.As(err, &malformed) {
		return nil, fmt.Errorf("listen: %w: %.80q is not HOST:PORT with a port in [0, 65535], such as 127.0.0.1:8090", errAddress, address)
	}
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if token == "" && (resolved.IP == nil || !resolved.IP.IsLoopback()) {
		return nil, fmt.Errorf("listen: %s %w", address, errToken)
	}
	// Bind the address that was checked, since a name may resolve to another one the next time.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", resolved.String())
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	g, err := newGuard(address, listener.Addr(), token, slices.DeleteFunc(hosts, func(host string) bool { return host == "" }))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen: %w", err), listener.Close())
	}
	return &Site{listener, g, token}, nil
}

// URL returns the address of the page for a browser on this machine.
func (s *Site) URL() string {
	host := s.guard.name
	if host == "" {
		host = "localhost"
	}
	return s.at(host)
}

// Links returns the addresses of the page for browsers of other machines. Each has the token after "#", a part
// that browsers do not send to servers. There are none where only this machine can reach the page.
func (s *Site) Links() []string {
	hosts := s.guard.hosts
	switch {
	case s.token == "":
		return nil
	case len(hosts) > 0:
	case s.guard.name != "":
		if !isLoopbackName(s.guard.name) {
			hosts = []string{s.guard.name}
		}
	default:
		hosts = ownAddresses()
	}
	links := make([]string, len(hosts))
	for i, host := range hosts {
		links[i] = s.at(host) + "#token=" + url.QueryEscape(s.token)
	}
	return links
}

func (s *Site) at(host string) string { return "http://" + net.JoinHostPort(host, s.guard.port) + "/" }

// ownAddresses returns the IPv4 addresses at which others may reach this machine; without any, its IPv6 addresses.
func ownAddresses() []string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var v4, v6 []string
	for _, a := range all {
		p, err := netip.ParsePrefix(a.String())
		switch ip := p.Addr(); {
		case err != nil || ip.IsLoopback() || ip.IsLinkLocalUnicast():
		case ip.Is4():
			v4 = append(v4, ip.String())
		default:
			v6 = append(v6, ip.String())
		}
	}
	if len(v4) > 0 {
		return v4
	}
	return v6
}

// Close closes a site on which Serve was not called.
func (s *Site) Close() error { return s.listener.Close() }

// Serve answers requests with the guarded handler until ctx is done; then the contexts of the requests are done
// too. It returns nil when all its goroutines have ended. Errors go to log.
func (s *Site) Serve(ctx context.Context, handler http.Handler, log *slog.Logger) error {
	bounded := limit(s.listener, maxConns, addrConns)
	server := &http.Server{
		ConnState:         bounded.changed,
		Handler:           s.guard.Wrap(handler),
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(bounded) }()
	select {
	case err := <-served:
		return fmt.Errorf("listen: %w", err)
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if err := server.Shutdown(end); err != nil {
		_ = server.Close() // cuts off requests that have not ended in time
	}
	<-served
	return nil
}
