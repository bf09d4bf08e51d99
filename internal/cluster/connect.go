package cluster

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/internal/text"
)

// A cut connection is noticed at the ping after mostPings unanswered ones: within (mostPings+1) × pingEvery, 12 s.
const (
	pingEvery = 4 * time.Second
	mostPings = 2
)

// Bounds of the pause between two attempts to connect.
const (
	firstPause = 200 * time.Millisecond
	mostPause  = 10 * time.Second
)

// refusals is the number of refused attempts after each of which another is made.
const refusals = 3

// backoff returns the pause after n failed attempts, of which 0 counts as 1. It doubles with each attempt up to mostPause, and is
// shorter by up to a half at random, so that a thousand workers do not reconnect at the same moment.
func backoff(n int) time.Duration {
	most := min(firstPause<<min(max(0, n-1), 10), mostPause)
	var lot [1]byte
	_, _ = rand.Read(lot[:]) // never fails
	return most/2 + most/2*time.Duration(lot[0])/256
}

// connectTime bounds an attempt to connect.
const connectTime = 10 * time.Second

// link is how to reach a server.
type link struct {
	url   string
	local nats.InProcessConnProvider // connects inside the process, in place of url
	creds *Creds                     // nil: loopback only
	id    string                     // of this party, for its inbox
	name  string                     // of this party, in the server's lists
	log   *slog.Logger

	denied func() // called when the server does not permit something; nil: nobody waits for it
}

// connect returns a connection that reconnects by itself until it is closed. closed is called with the reason
// when the server refuses it for good.
func (l *link) connect(closed func(error)) (*nats.Conn, error) {
	bounded := &serverLog{log: l.log, from: "connection to the cluster"}
	options := []nats.Option{
		nats.Name(l.name), nats.CustomInboxPrefix(strings.TrimSuffix(inboxOf(l.id), ".")),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(mostPings),
		nats.MaxReconnects(-1), nats.CustomReconnectDelay(backoff), nats.Timeout(connectTime),
		nats.ReconnectBufSize(-1), // publishing while disconnected is an error, and the sender tries again
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				l.log.Warn("connection to the cluster lost", "url", l.shown(), "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { l.log.Info("connection to the cluster is back", "url", l.shown()) }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			if final(err) { // a server that is away may come back, one whose certificate has expired needs somebody
				bounded.Warnf("%v", err)
			}
		}),
		nats.ClosedHandler(func(c *nats.Conn) { closed(c.LastError()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			bounded.Warnf("%v", err)
			if l.denied != nil && errors.Is(err, nats.ErrPermissionViolation) {
				l.denied()
			}
		}),
	}
	if l.creds != nil {
		options = append(options, nats.Nkey(l.creds.Key(), l.creds.sign))
	}
	if l.local != nil {
		options = append(options, nats.InProcessServer(localLines{l.local}))
	} else {
		if err := CheckURL(l.url, l.creds); err != nil {
			return nil, err
		}
		dialer := &lineDialer{l.url, &tls.Config{MinVersion: leastTLS}}
		if l.creds != nil {
			dialer.tls = l.creds.clientTLS()
			options = append(options, nats.Secure()) // a server without TLS is refused
		}
		options = append(options, nats.SetCustomDialer(dialer), nats.SkipHostLookup())
	}
	c, err := nats.Connect(l.url, options...)
	// A good key, too, is refused while the server reads its parties again, which it does after each ban.
	for n := 1; errors.Is(err, nats.ErrAuthorization) && n <= refusals; n++ {
		time.Sleep(backoff(n))
		c, err = nats.Connect(l.url, options...)
	}
	var unverified *tls.CertificateVerificationError
	if errors.As(err, &unverified) {
		way := ""
		if l.creds == nil {
			way = ": --creds FILE holds that of the cluster's authority"
		}
		return nil, fmt.Errorf("cluster: %s: the server's certificate is refused: %w%s", l.shown(), err, way)
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %s: %w", l.shown(), err)
	}
	return c, nil
}

// permitted returns the error of what was sent, or of the server where it does not permit something to a coordinator.
func (l *link) permitted(conn *nats.Conn, sent error) error {
	if err := errors.Join(sent, conn.Flush()); err != nil {
		return fmt.Errorf("cluster: %s: %w", l.shown(), err)
	}
	if err := conn.LastError(); errors.Is(err, nats.ErrPermissionViolation) { // errors arrive before the end of Flush
		return l.forbidden(err, CoordinatorName)
	}
	return nil
}

// forbidden returns the error of a party whose permissions at the server are not those of the named ones. why is the server's answer.
func (l *link) forbidden(why error, names ...string) error {
	if l.creds == nil || slices.Contains(names, l.creds.party()) { // a server with permissions of its own
		return fmt.Errorf("cluster: the server at %s does not permit what the %s does: %w", l.shown(), names[0], why)
	}
	fit := filepath.Join(filepath.Dir(l.creds.path), names[0]+credsEnding)
	return fmt.Errorf("cluster: %s: %s is not the %s's but that of %s: take --creds %s (%w)",
		l.shown(), l.creds.path, strings.Join(names, "'s or the "), text.Short(l.creds.party(), maxShown), fit, why)
}

// shown returns the address without parts that could be secret.
func (l *link) shown() string {
	if l.local != nil {
		return "this process"
	}
	return ShownURL(l.url)
}

// maxShown bounds an address that is shown though it cannot be read, in bytes.
const maxShown = 100

// ShownURL returns addresses of servers without parts that could be secret.
func ShownURL(urls string) string {
	var list []string
	for one := range strings.SplitSeq(urls, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		switch {
		case err == nil && !strings.Contains(u.Opaque, "@"):
			list = append(list, u.Redacted())
		case strings.Contains(one, "@"): // it may hold a secret
			list = append(list, "unreadable address")
		default:
			list = append(list, text.Short(one, maxShown))
		}
	}
	return strings.Join(list, ",")
}

// final reports whether trying to connect again cannot help.
func final(err error) bool {
	var unverified *tls.CertificateVerificationError
	var alert *net.OpError // the type in which crypto/tls reports a refusal by the other side
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, errAddress) ||
		errors.As(err, &unverified) || errors.As(err, &alert) && alert.Op == "remote error"
}

// errAddress marks addresses that are refused before a connection is tried.
var errAddress = errors.New("cluster")

// CheckURL refuses addresses of servers beyond this machine unless there are credentials.
func CheckURL(urls string, creds *Creds) error {
	for one := range strings.SplitSeq(urls, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Host == "" {
			return fmt.Errorf("%w: %q is not an address such as nats://HOST:4222", errAddress, ShownURL(one))
		}
		if creds == nil && !isLoopback(u.Hostname()) {
			return fmt.Errorf("%w: %s is beyond this machine, which takes credentials: --creds FILE (see `tune cluster init`)", errAddress, ShownURL(one))
		}
	}
	return nil
}

// isLoopback reports whether the host is this machine by name or address.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// leastTLS is the oldest version of TLS that is accepted.
const leastTLS = tls.VersionTLS13
