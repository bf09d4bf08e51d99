package cluster

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// mostLine bounds a line of the NATS protocol, in bytes. A server takes lines of 4 kB from its clients; its own greeting is shorter.
const mostLine = 32 << 10

// lineConn is a connection to a NATS server on which no subject holds a carriage return. To the server that is a byte like any other, to
// the client (nats.go v1.55.0, parser.go) the end of a word. So whoever may send a message could choose the subscription that gets it,
// or have the client give up the connection. A question mark takes its place.
type lineConn struct {
	net.Conn
	in      *bufio.Reader
	line    []byte // read, and not handed on yet; valid until the next reading
	payload int    // bytes of a message that follow the line, its end included
}

func newLineConn(c net.Conn) *lineConn {
	return &lineConn{Conn: c, in: bufio.NewReaderSize(c, mostLine)}
}

// Read reads a line, or a part of one or of a payload.
func (c *lineConn) Read(p []byte) (int, error) {
	if len(c.line) == 0 && c.payload == 0 {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	if len(c.line) > 0 {
		n := copy(p, c.line)
		c.line = c.line[n:]
		return n, nil
	}
	n, err := c.in.Read(p[:min(len(p), c.payload)])
	c.payload -= n
	return n, err
}

// next reads a line. It is an error if a message follows that is greater than any of ours, for which the client would make room at once.
func (c *lineConn) next() error {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	c.line = line
	head := bytes.TrimSuffix(line, []byte("\r\n"))
	for i, b := range head {
		if b == '\r' {
			head[i] = '?'
		}
	}
	words := bytes.Fields(head)
	if len(words) == 0 || !bytes.EqualFold(words[0], []byte("MSG")) && !bytes.EqualFold(words[0], []byte("HMSG")) {
		return nil
	}
	size, err := strconv.Atoi(string(words[len(words)-1]))
	if err != nil || size < 0 || size > mostPayload {
		return fmt.Errorf("cluster: the server sends a message of %.20q bytes", words[len(words)-1])
	}
	c.payload = size + len("\r\n")
	return nil
}

// localLines connects inside the process.
type localLines struct{ inner nats.InProcessConnProvider }

// InProcessConn returns a new connection.
func (l localLines) InProcessConn() (net.Conn, error) {
	c, err := l.inner.InProcessConn()
	if err != nil {
		return nil, err
	}
	return newLineConn(c), nil
}

// lineDialer connects to a server at an address. It does the handshake of TLS in the client's place, since lines can be read above TLS alone.
type lineDialer struct {
	urls string
	tls  *tls.Config // for a server that offers TLS; whether it must is the client's affair
}

// SkipTLSHandshake tells the client that a connection is secured already where the server offers that.
func (d *lineDialer) SkipTLSHandshake() bool { return true }

// Dial returns a new connection.
func (d *lineDialer) Dial(network, address string) (net.Conn, error) {
	plain, err := net.DialTimeout(network, address, connectTime)
	if err != nil {
		return nil, err
	}
	c, err := d.greeted(plain, address)
	if err != nil {
		_ = plain.Close() // it is of no use
		return nil, err
	}
	return c, nil
}

// greeted reads the server's greeting, does the handshake that follows it where there is one, and returns a connection that begins with
// the greeting.
func (d *lineDialer) greeted(plain net.Conn, address string) (net.Conn, error) {
	if err := plain.SetDeadline(time.Now().Add(connectTime)); err != nil {
		return nil, err
	}
	c := newLineConn(plain)
	if err := c.next(); err != nil {
		return nil, fmt.Errorf("no greeting: %w", err)
	}
	var offer struct {
		Required  bool `json:"tls_required"`
		Available bool `json:"tls_available"`
	}
	text, _ := bytes.CutPrefix(c.line, []byte("INFO "))
	if err := json.Unmarshal(text, &offer); err != nil {
		return nil, fmt.Errorf("not the greeting of a NATS server: %.40q", c.line)
	}
	if !offer.Required && !offer.Available {
		return c, plain.SetDeadline(time.Time{})
	}
	if c.in.Buffered() > 0 {
		return nil, errors.New("more than a greeting before the handshake")
	}
	config := d.tls.Clone()
	config.ServerName = d.host(address)
	secure := tls.Client(plain, config)
	if err := secure.Handshake(); err != nil {
		return nil, err
	}
	in := newLineConn(secure)
	in.line = c.line
	return in, plain.SetDeadline(time.Time{})
}

// host returns the name that the certificate of the server at the address must have. Servers tell the numeric addresses of others, whose
// certificates must have the name of the first server in urls.
func (d *lineDialer) host(address string) string {
	host, _, _ := net.SplitHostPort(address) // it was dialled
	if net.ParseIP(host) == nil || strings.Contains(d.urls, host) {
		return host
	}
	first, _, _ := strings.Cut(d.urls, ",")
	u, err := url.Parse(strings.TrimSpace(first))
	if err != nil {
		return host
	}
	return u.Hostname()
}
