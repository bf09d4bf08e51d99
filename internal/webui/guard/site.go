package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of a connection. There is none for writing: event streams are long.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	endTime    = 2 * time.Second // for open requests when a site ends
	maxHeader  = 16 << 10        // bytes
	maxConns   = 256
)

// ErrToken says that an address is reachable from other machines, and no token was given.
var ErrToken = errors.New("is reachable from other machines, which needs a token (--token-file)")

// Site is a page that is being listened for.
type Site struct {
	listener net.Listener
	guard    *Guard
}

// Open listens at an address, HOST:PORT, with port 0 for any that is free. token, the content of
// ReadToken, may be "" for a loopback address; for others that is ErrToken.
func Open(ctx context.Context, address, token string) (*Site, error) {
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
	g, err := newGuard(address, listener.Addr(), token)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen: %w", err), listener.Close())
	}
	return &Site{listener, g}, nil
}

// URL returns the address of the page for a browser on this machine.
func (s *Site) URL() string {
	host := s.guard.name
	if host == "" {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, s.guard.port) + "/"
}

// Close ends a site that is not served.
func (s *Site) Close() error { return s.listener.Close() }

// Serve answers requests with the guarded handler until ctx is done, whose end is that of the requests'
// contexts as well. It returns nil then, and no goroutine of it is left. Failures go to log.
func (s *Site) Serve(ctx context.Context, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           s.guard.Wrap(handler),
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(limit(s.listener, maxConns)) }()
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
