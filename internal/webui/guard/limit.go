package guard

import (
	"net"
	"sync"
)

// limited is a listener with a bound on its open connections: further ones wait.
type limited struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limit(l net.Listener, most int) net.Listener {
	return &limited{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept waits for a place, then for a connection.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &placed{Conn: c, free: sync.OnceFunc(func() { <-l.places })}, nil
}

// Close ends Accept, also one that waits for a place.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// placed is a connection that takes a place until it is closed.
type placed struct {
	net.Conn
	free func()
}

func (p *placed) Close() error {
	defer p.free()
	return p.Conn.Close()
}
