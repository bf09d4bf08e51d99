package cluster

import (
	"fmt"
	"strings"
)

// Limits of the server that we start; the sample configuration names the same.
const (
	mostPayload       = 4 << 20 // bytes of a message: the status of some ten thousand workers
	mostSubscriptions = 64      // of a connection: a coordinator has nine
)

// serverConf returns the configuration of a nats-server for the parties. Its paths are relative: the server is
// started in the folder.
func serverConf(list []Party) string {
	var b strings.Builder
	b.WriteString(`# nats-server for quintune, written by "tune cluster"; the users are replaced by "tune cluster add" and "revoke".
# Start it in this folder: nats-server -c nats-server.conf; after a change: nats-server --signal reload
# It stores nothing: JetStream stays off, since it would answer to subjects that no permission checks.
listen: "0.0.0.0:4222"
server_name: quintune
ping_interval: "4s"   # a cut link is noticed after two pings
ping_max: 2
max_payload: 4MB      # a task or a result has a few kB
max_subscriptions: 64 # of a connection
tls {
  cert_file: "./server.pem"
  key_file: "./server-key.pem"
  ca_file: "./ca.pem"
  verify: true        # every party shows a certificate of this cluster
  min_version: "1.3"
  timeout: 5          # seconds for the handshake
}
authorization {
  timeout: 5
  users = [
`)
	for _, p := range list {
		if p.Revoked {
			continue
		}
		a := accessOf(p.Role, p.Key)
		fmt.Fprintf(&b, "    # %s, %s\n    { nkey: %s, permissions: {\n      publish: { allow: [%s] }\n      subscribe: { allow: [%s] }\n    } }\n",
			p.Name, p.Role, p.Key, quoted(a.send), quoted(a.listen))
	}
	b.WriteString("  ]\n}\n")
	return b.String()
}

func quoted(subjects []string) string {
	list := make([]string, len(subjects))
	for i, s := range subjects {
		list[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(list, ", ")
}
