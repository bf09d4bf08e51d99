package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"quintune/internal/text"
)

// ServerConfig configures a server inside this process.
type ServerConfig struct {
	Addr   string  // host:port to listen on; "": only this process can connect
	Folder *Folder // holds the parties that may connect; nil: everybody on this machine, so Addr must be loopback
	Log    *slog.Logger
}

// Server is a NATS server inside this process. It stores nothing.
type Server struct {
	inner   *server.Server
	config  ServerConfig
	stop    chan struct{}
	stopped sync.WaitGroup
	mu      sync.Mutex
	banned  []string // keys that are kept out

	reloading sync.Mutex  // held while parties are read and admitted
	stale     atomic.Bool // the last reload failed: a key that is revoked or banned may be in
}

// startTime bounds the start of a server.
const startTime = 20 * time.Second

// reloadEvery is the interval at which the list of parties is checked for changes.
const reloadEvery = time.Second

// expiryEvery is the interval at which a server that runs looks whether its certificate expires soon.
const expiryEvery = 24 * time.Hour

// StartServer starts a server. Without a folder, an address beyond this machine is refused.
func StartServer(c ServerConfig) (*Server, error) {
	s := &Server{config: c, stop: make(chan struct{})}
	var read fs.FileInfo // of the list of parties, before its first reading
	if c.Folder != nil {
		read = s.listed()
		if err := c.Folder.checkServer(c.Log); err != nil {
			return nil, err
		}
	}
	options, err := s.options()
	if err == nil {
		s.inner, err = server.NewServer(options)
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: server: %w", err)
	}
	log := &serverLog{log: c.Log, from: "server"}
	s.inner.SetLoggerV2(log, false, false, false)
	s.inner.Start() // returns when it listens or cannot
	if fatal := log.ended(); fatal != "" {
		return nil, errors.Join(fmt.Errorf("cluster: server: %s", fatal), s.Close())
	}
	if !s.inner.ReadyForConnections(startTime) {
		err := fmt.Errorf("cluster: the server is not ready on %q within %v", c.Addr, startTime)
		return nil, errors.Join(err, s.Close())
	}
	if c.Folder != nil {
		s.stopped.Go(func() { s.watch(read, expiryEvery) })
	}
	return s, nil
}

// options returns the server's settings for the current list of parties.
func (s *Server) options() (*server.Options, error) {
	c := &s.config
	o := &server.Options{
		ServerName: "quintune", DontListen: c.Addr == "", MaxConn: connectionsFor(nil), NoSigs: true, NoLog: true,
		MaxPayload: mostPayload, MaxPending: mostPending, MaxSubs: mostSubscriptions, MaxClosedClients: 1, PingInterval: pingEvery, MaxPingsOut: mostPings,
		NoHeaderSupport: true, // none of our messages has headers, and a client decodes them before it hands the message on
	}
	if c.Addr != "" {
		var err error
		if o.Host, o.Port, err = splitAddress(c.Addr, c.Folder); err != nil {
			return nil, err
		}
	}
	if c.Folder == nil {
		return o, nil
	}
	var err error
	if o.TLSConfig, err = c.Folder.serverTLS(); err != nil {
		return nil, err
	}
	o.TLSVerify, o.TLSTimeout = true, 5
	list, err := c.Folder.Parties()
	if err != nil {
		return nil, err
	}
	o.MaxConn = connectionsFor(list)
	s.mu.Lock()
	defer s.mu.Unlock()
	if list, err = admitted(list, s.banned); err != nil {
		return nil, err
	}
	for _, p := range list {
		o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: p.Key, Permissions: accessOf(p.Role, p.Key).permissions()})
	}
	return o, nil
}

// CheckListen refuses what is not an address to listen on and, without the folder of a cluster, an address beyond this machine.
func CheckListen(addr string, f *Folder) error {
	if _, _, err := splitAddress(addr, f); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	return nil
}

// splitAddress returns the host and port of an address; port 0 stands for any free port. Without a folder it refuses others than loopback.
func splitAddress(addr string, f *Folder) (host string, port int, err error) {
	host, number, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	if port, err = strconv.Atoi(number); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("the port of %s is not in [0, 65535]", addr)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if host == "" {
		host = "0.0.0.0"
	}
	if f == nil && !isLoopback(host) {
		return "", 0, fmt.Errorf("%s is beyond this machine, which takes credentials (see `tune cluster init`)", addr)
	}
	return host, port, nil
}

// watch reloads the list of parties when it is another than the given one, and bans keys with too many connections, until the
// server is closed. At the given interval it warns of a certificate that expires soon or has expired.
func (s *Server) watch(last fs.FileInfo, expiry time.Duration) {
	ticker, expiring := time.NewTicker(reloadEvery), time.NewTicker(expiry)
	defer ticker.Stop()
	defer expiring.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-expiring.C:
			if err := s.config.Folder.checkServer(s.config.Log); err != nil {
				s.config.Log.Error(err.Error())
			}
			continue
		case <-ticker.C:
		}
		if now := s.listed(); s.stale.Load() || !sameList(last, now) {
			last = now
			s.reload()
		}
		for _, key := range s.crowds() {
			s.config.Log.Error(fmt.Sprintf("cluster: a key has more than %d connections: they are ended, and it is not let in again", mostConnections), "key", key)
			s.ban(key)
		}
	}
}

// crowds returns the keys with more connections than any party needs. It leaves out the coordinator's key, which the
// run needs.
func (s *Server) crowds() []string {
	if s.inner.NumClients() <= mostConnections {
		return nil
	}
	list, err := s.inner.Connz(&server.ConnzOptions{Username: true, Limit: s.inner.NumClients()})
	if err != nil {
		return nil // the server is ending
	}
	parties, err := s.config.Folder.Parties()
	if err != nil {
		return nil // reload says so
	}
	connections := map[string]int{}
	for _, c := range list.Conns {
		connections[c.AuthorizedUser]++
	}
	var keys []string
	for _, p := range parties {
		if p.Role != RoleCoordinator && connections[p.Key] > mostConnections {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// listed describes the file with the list of parties; nil where there is none.
func (s *Server) listed() fs.FileInfo {
	info, err := os.Stat(s.config.Folder.file(partiesFile))
	if err != nil {
		return nil
	}
	return info
}

// sameList reports whether the list has not been written in between. Each time it becomes another file, since two may be written
// within one tick of the clock.
func sameList(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime())
}

// reload admits the current parties and ends the connections of all others. Where it cannot, watch tries again.
func (s *Server) reload() {
	s.reloading.Lock() // a list that was read before must not be the last
	defer s.reloading.Unlock()
	o, err := s.options()
	if err == nil {
		err = s.inner.ReloadOptions(o)
	}
	if err != nil {
		if !s.stale.Swap(true) {
			s.config.Log.Error("cluster: the parties could not be read again", "error", err)
		}
		return
	}
	s.stale.Store(false)
	s.config.Log.Info("cluster: parties read again")
}

// ban keeps keys out until the server ends.
func (s *Server) ban(keys ...string) {
	if s.config.Folder == nil {
		return
	}
	s.mu.Lock()
	s.banned = append(s.banned, keys...)
	s.mu.Unlock()
	s.reload()
}

// URL returns an address of the server for parties on this machine, "" where it does not listen.
func (s *Server) URL() string {
	if s.config.Addr == "" {
		return ""
	}
	return s.inner.ClientURL()
}

// Close ends the server.
func (s *Server) Close() error {
	close(s.stop)
	s.stopped.Wait()
	s.inner.Shutdown()
	s.inner.WaitForShutdown()
	return nil
}

// serverLog forwards warnings and errors of the server and of connections to it to our log, such as a refused key or certificate. They
// contain no secrets: keys in them are public. Anybody who can reach the address can cause such lines, so at
// most mostLines are written within logWindow. Safe for concurrent use.
type serverLog struct {
	log  *slog.Logger
	from string // begins each line

	mu      sync.Mutex
	began   time.Time // start of the window
	lines   int       // lines in this window
	dropped int
	fatal   string // what the server cannot go on after
}

const (
	mostLines = 20
	logWindow = 10 * time.Second

	mostServerLine = 300 // bytes: a subject that is refused may have thousands
)

// admit reports whether another line may be written, and the number of lines dropped before it.
func (l *serverLog) admit(now time.Time) (ok bool, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.began) >= logWindow {
		dropped, l.began, l.lines, l.dropped = l.dropped, now, 0, 0
	}
	if l.lines++; l.lines > mostLines {
		l.dropped++
		return false, 0
	}
	return true, dropped
}

func (l *serverLog) write(level slog.Level, format string, v []any) {
	ok, dropped := l.admit(time.Now())
	if dropped > 0 {
		l.log.Warn(l.from+": lines were left out", "lines", dropped)
	}
	if ok {
		l.log.Log(context.Background(), level, l.from+": "+text.Short(strings.TrimSpace(fmt.Sprintf(format, v...)), mostServerLine))
	}
}

func (l *serverLog) Noticef(string, ...any) {}
func (l *serverLog) Debugf(string, ...any)  {}
func (l *serverLog) Tracef(string, ...any)  {}

func (l *serverLog) Warnf(format string, v ...any)  { l.write(slog.LevelWarn, format, v) }
func (l *serverLog) Errorf(format string, v ...any) { l.write(slog.LevelWarn, format, v) }
func (l *serverLog) Fatalf(format string, v ...any) {
	l.write(slog.LevelError, format, v)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fatal = fmt.Sprintf(format, v...)
}

// ended returns why the server cannot go on, "" where it can.
func (l *serverLog) ended() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}
