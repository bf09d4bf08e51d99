package guard

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// limiter is a listener that bounds its open connections, in all and for each address. At a bound, a new
// connection takes the place of the one that has waited longest for a request. If none waits, the new one is
// closed. So idle connections, however many, never keep an honest request waiting.
type limiter struct {
	net.Listener
	most, perAddress int

	mu    sync.Mutex
	conns map[*conn]struct{}
	clock uint64 // counts changes of state
}

// conn is an open connection of a limiter.
type conn struct {
	net.Conn
	limiter *limiter
	address netip.Prefix
	idle    uint64 // clock of the limiter when the connection began to wait for a request; 0: a request is being answered
}

func limit(l net.Listener, most, perAddress int) *limiter {
	return &limiter{Listener: l, most: most, perAddress: perAddress, conns: map[*conn]struct{}{}}
}

// Accept waits for a connection that fits into the bounds.
func (l *limiter) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(accepted); c != nil {
			return c, nil
		}
		_ = accepted.Close()
	}
}

// admit adds a connection, and returns nil where the bounds leave no place for it.
func (l *limiter) admit(accepted net.Conn) *conn {
	c := &conn{Conn: accepted, limiter: l, address: addressOf(accepted.RemoteAddr())}
	victims, ok := l.place(c)
	for _, victim := range victims {
		_ = victim.Conn.Close()
	}
	if !ok {
		return nil
	}
	return c
}

// place adds the connection and removes others for it, which it returns; the caller must close them.
func (l *limiter) place(c *conn) (victims []*conn, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	same := func(other *conn) bool { return other.address == c.address }
	for _, bound := range []struct {
		most  int
		count func(*conn) bool
	}{{l.perAddress, same}, {l.most, func(*conn) bool { return true }}} {
		n, longest := l.count(bound.count)
		if n < bound.most {
			continue
		}
		if longest == nil {
			return victims, false
		}
		delete(l.conns, longest)
		victims = append(victims, longest)
	}
	l.clock++
	c.idle = l.clock
	l.conns[c] = struct{}{}
	return victims, true
}

// count returns the number of connections that the function selects, and which of them has been idle longest, nil
// where none is idle.
func (l *limiter) count(counts func(*conn) bool) (n int, longest *conn) {
	for c := range l.conns {
		if !counts(c) {
			continue
		}
		n++
		if c.idle > 0 && (longest == nil || c.idle < longest.idle) {
			longest = c
		}
	}
	return n, longest
}

// changed records whether a connection waits for a request. It is the ConnState of the server.
func (l *limiter) changed(of net.Conn, state http.ConnState) {
	c, ok := of.(*conn)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch state {
	case http.StateIdle:
		l.clock++
		c.idle = l.clock
	case http.StateActive:
		c.idle = 0
	}
}

// Write bounds the time of each part, so that a client that does not read loses its connection.
func (c *conn) Write(data []byte) (n int, err error) {
	for n < len(data) && err == nil {
		_ = c.SetWriteDeadline(time.Now().Add(writeTime)) // else the connection is closed, and so says Write
		var part int
		part, err = c.Conn.Write(data[n:min(n+writePart, len(data))])
		n += part
	}
	return n, err
}

// Close closes the connection and removes it from the limiter.
func (c *conn) Close() error {
	c.limiter.mu.Lock()
	delete(c.limiter.conns, c)
	c.limiter.mu.Unlock()
	return c.Conn.Close()
}

// addressOf returns the prefix by which connections are counted: the whole address in IPv4, the first 64 bits in
// IPv6, where one machine may use any number of addresses.
func addressOf(remote net.Addr) netip.Prefix {
	from, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip := from.Addr().Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() && !ip.IsLoopback() {
		bits = 64
	}
	p, _ := ip.Prefix(bits)
	return p
}
