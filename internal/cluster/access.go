package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// Role is what a party of a cluster may do.
type Role string

// The roles.
const (
	RoleCoordinator Role = "coordinator" // hands out tasks and takes results
	RoleWorker      Role = "worker"      // asks for tasks, and gives results in its own name
	RoleObserver    Role = "observer"    // asks for the status
)

// access lists the subjects that a party may send to and listen to. The server refuses all others.
//
// The server does not check the reply subject of a message. So the coordinator alone listens on the subjects
// that workers and observers may send to, and it answers only to inboxes of the sender. JetStream is off: its
// interface would reply to whatever subject a request names.
type access struct {
	send, listen []string
}

// accessOf returns the access of a party with the role and the key.
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

// inboxOf returns the prefix of all subjects at which a party receives answers.
func inboxOf(id string) string { return inboxPrefix + id + "." }

// permissions returns the access in the form that the server takes.
func (a access) permissions() *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: slices.Clone(a.send)},
		Subscribe: &server.SubjectPermission{Allow: slices.Clone(a.listen)},
	}
}

// Limits of the server that we start. The sample configuration states the same.
const (
	mostPayload       = 4 << 20  // bytes of a message; enough for the status of some ten thousand workers
	mostSubscriptions = 16       // subscriptions of a connection; a coordinator has eight
	mostPending       = 16 << 20 // bytes queued for a connection that does not read
	mostConnections   = 8        // connections of a key; a party has one, and some broken ones that are not yet closed
)

// connectionsFor returns the most connections that a server of the parties takes, those included that have shown no key yet. Each
// takes a file descriptor, and the process of a run needs some of its own.
func connectionsFor(list []Party) int { return 4096 + 2*len(list) }

// admitted returns the parties that a server lets in: those that are neither revoked nor banned. Where none is left it returns one
// whose key nobody has, because a server without keys lets in everybody with a certificate.
func admitted(list []Party, banned []string) ([]Party, error) {
	var left []Party
	for _, p := range list {
		if !p.Revoked && !slices.Contains(banned, p.Key) {
			left = append(left, p)
		}
	}
	if len(left) > 0 {
		return left, nil
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	defer pair.Wipe()
	key, err := pair.PublicKey()
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return []Party{{Name: "nobody", Role: RoleObserver, Key: key}}, nil
}

// serverConf returns the configuration of a nats-server that admits the parties. Its paths are relative to the
// cluster's folder, in which the server must be started.
func serverConf(list []Party) (string, error) {
	left, err := admitted(list, nil)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`# nats-server for quintune, written by "tune cluster"; the users are replaced by "tune cluster add" and "revoke".
# Start it in this folder: nats-server -c nats-server.conf; after a change: nats-server --signal reload.
# A container into which single files are mounted keeps the old ones: restart it.
# It stores nothing: JetStream stays off, since it would answer to subjects that no permission checks.
listen: "0.0.0.0:4222"
server_name: quintune
ping_interval: "4s"   # a cut link is noticed at the third ping, within 12 s
ping_max: 2
max_payload: 4MB      # a task or a result has a few kB
max_pending: 16MB     # for a connection that does not read
max_subscriptions: 16 # of a connection
max_closed_clients: 1 # each is remembered with its subscriptions
no_header_support: true # none of our messages has headers, and hundreds of thousands in one would keep the run busy
`)
	fmt.Fprintf(&b, "max_connections: %d # each takes a file descriptor\n", connectionsFor(list))
	b.WriteString(`tls {
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
	for _, p := range left {
		a := accessOf(p.Role, p.Key)
		fmt.Fprintf(&b, "    # %s, %s\n    { nkey: %s, permissions: {\n      publish: { allow: [%s] }\n      subscribe: { allow: [%s] }\n    } }\n",
			p.Name, p.Role, p.Key, quoted(a.send), quoted(a.listen))
	}
	b.WriteString("  ]\n}\n")
	return b.String(), nil
}

func quoted(subjects []string) string {
	list := make([]string, len(subjects))
	for i, s := range subjects {
		list[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(list, ", ")
}
