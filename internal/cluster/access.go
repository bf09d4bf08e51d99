package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// Role is what a party of a cluster may do.
type Role string

// The roles.
const (
	RoleCoordinator Role = "coordinator" // hands out tasks and takes results
	RoleWorker      Role = "worker"      // asks for tasks, and gives results in its own name
	RoleObserver    Role = "observer"    // asks for the status
)

// access is which subjects a party may send to and listen to; all others are refused by the server.
//
// The server does not check the subject to which a message wants its reply, so nothing that a worker or an observer
// may send to answers blindly: only the coordinator listens there, and it answers inboxes of the asker alone. There
// is no JetStream, whose interface would answer, and obey, whatever subject a request names.
type access struct {
	send, listen []string
}

// accessOf returns what the role allows the party with the key.
func accessOf(role Role, key string) access {
	inbox := inboxOf(key) + ">"
	switch role {
	case RoleCoordinator:
		return access{send: []string{"qt.>", inboxPrefix + ">"}, listen: []string{"qt.>", inbox}}
	case RoleWorker:
		return access{
			send:   []string{joinPrefix + key, heartbeatPrefix + key, nextPrefix + key, weightsPrefix + key, resultPrefix + key + ".>"},
			listen: []string{cancelSubject, inbox},
		}
	}
	return access{send: []string{statusPrefix + key}, listen: []string{inbox}}
}

// inboxOf begins every subject at which a party takes answers.
func inboxOf(id string) string { return inboxPrefix + id + "." }

// permissions are the access as the server wants it.
func (a access) permissions() *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: slices.Clone(a.send)},
		Subscribe: &server.SubjectPermission{Allow: slices.Clone(a.listen)},
	}
}

// Limits of the server that we start; the sample configuration names the same.
const (
	mostPayload       = 4 << 20 // bytes of a message: the status of some ten thousand workers
	mostSubscriptions = 64      // subscriptions of a connection: a coordinator has nine
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
