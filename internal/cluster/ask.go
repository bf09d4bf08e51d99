package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
)

// statusTime bounds the wait for a status.
const statusTime = 10 * time.Second

// Ask returns the status of the run that uses the cluster at an address.
func Ask(ctx context.Context, url string, creds *Creds, log *slog.Logger) (*Status, error) {
	l := link{url: url, creds: creds, id: "O" + newNonce()[:12], name: ObserverName, log: log}
	if creds != nil {
		l.id = creds.Key()
	}
	conn, err := l.connect(func(error) {})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	within, cancel := context.WithTimeout(ctx, statusTime)
	defer cancel()
	reply, err := conn.RequestWithContext(within, statusPrefix+l.id, nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, fmt.Errorf("cluster: no run uses the cluster at %s", l.shown())
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %s: %w", l.shown(), err)
	}
	var s Status
	if err := json.Unmarshal(reply.Data, &s); err != nil {
		return nil, fmt.Errorf("cluster: the status of %s: %w", l.shown(), err)
	}
	return &s, nil
}

// CheckAddress refuses addresses beyond this machine without credentials.
func CheckAddress(c Config) error {
	if c.URL != "" {
		return checkAddress(c.URL, c.Creds)
	}
	if c.Listen == "" {
		return nil
	}
	host, _, err := splitAddress(c.Listen)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if c.Folder == nil && !isLoopback(host) {
		return fmt.Errorf("cluster: %s is beyond this machine, which takes credentials (see `tune cluster init`)", c.Listen)
	}
	return nil
}
