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
	RoleWorker      Role = "worker"      // takes tasks, and gives results in its own name
	RoleObserver    Role = "observer"    // asks for the status
)

// access is which subjects a party may send to and listen to; all others are refused by the server.
type access struct {
	send, listen []string
}

// accessOf returns what the role allows the party with the key.
func accessOf(role Role, key string) access {
	inbox := inboxPrefix + key + ".>"
	switch role {
	case RoleCoordinator:
		return access{
			send: []string{
				"qt.>", "_INBOX.>", "$JS.API.>", "$KV." + setBucket + ".>",
				"$JS.ACK." + taskStream + ".>", "$JS.ACK." + resultStream + ".>",
			},
			listen: []string{"qt.>", inbox},
		}
	case RoleWorker:
		return access{
			send: []string{
				joinPrefix + key, beatPrefix + key, "qt.result." + key + ".>",
				"$JS.API.CONSUMER.INFO." + taskStream + "." + taskConsumer,
				"$JS.API.CONSUMER.MSG.NEXT." + taskStream + "." + taskConsumer,
				"$JS.ACK." + taskStream + "." + taskConsumer + ".>",
				"$JS.API.STREAM.INFO.KV_" + setBucket,
				"$JS.API.DIRECT.GET.KV_" + setBucket + ".>",
			},
			listen: []string{cancelSubject, inbox},
		}
	}
	return access{send: []string{statusSubject}, listen: []string{inbox}}
}

// permissions are the access as the server wants it.
func (a access) permissions() *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: slices.Clone(a.send)},
		Subscribe: &server.SubjectPermission{Allow: slices.Clone(a.listen)},
	}
}
