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

// Limits of a connection. There is none for writing: event streams are long.
const (
	headerTime = 5 * time.Second
	idleTime   = 2 * time.Minute // of a connection whose request was let in; others are closed after each answer
	endTime    = 2 * time.Second // for open requests when a site ends
	maxHeader  = 16 << 10        // bytes
	maxConns   = 256
	addrConns  = 64 // connections of one address
)

// ErrToken says that an address is reachable from other machines, and no token was given.
var ErrToken = errors.New("is reachable from other machines, which needs a token (--token-file)")

// Site is a page that is being listened for.
type Site struct {
	listener net.Listener
	guard    *Guard
	token    string
}

// Open listens at an address, HOST:PORT, with port 0 for any that is free. token, the content of
// ReadToken, may be "" for a loopback address; for others that is ErrToken. hosts are further names by which other
// machines reach the page; "" is none.
func Open(ctx context.Context, address, token string, hosts ...string) (*Site, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if token == "" && (resolved.IP == nil || !resolved.IP.IsLoopback()) {
		return nil, fmt.Errorf("listen: %s %w", address, ErrToken)
	}
	// The address that was looked at is the one that is bound: a name may resolve otherwise next time.
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

// Links returns the addresses of the page for browsers of other machines, each with the token after the "#", which browsers
// send to nobody; none where the page is for this machine alone.
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

// ownAddresses returns the IPv4 addresses of this machine that others may reach; those of IPv6 where it has no others.
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

// Close ends a site that is not served.
func (s *Site) Close() error { return s.listener.Close() }

// Serve answers requests with the guarded handler until ctx is done, whose end is that of the requests'
// contexts as well. It returns nil then, and no goroutine of it is left. Failures go to log.
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
		_ = server.Close() // what does not end in time is cut off
	}
	<-served
	return nil
}
