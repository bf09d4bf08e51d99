package cluster

import (
	"slices"

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
