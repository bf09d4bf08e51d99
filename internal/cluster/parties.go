package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/nats-io/nkeys"

	"quintune/internal/filelock"
	"quintune/internal/strictjson"
)

// Names of the parties that every cluster has.
const (
	CoordinatorName = "coordinator"
	ObserverName    = "observer"
)

// Party is one user of a cluster.
type Party struct {
	Name    string    `json:"name"`
	Role    Role      `json:"role"`
	Key     string    `json:"key"`     // public nkey
	Expires time.Time `json:"expires"` // of its certificate
	Revoked bool      `json:"revoked,omitempty"`
}

// parties is the stored list of users.
type parties struct {
	Format  string  `json:"format"`
	Parties []Party `json:"parties"`
}

const partiesFormat = "quintune.parties/1"

var partyName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)

// CheckName returns an error where no party can have the name.
func CheckName(name string) error {
	if err := checkParty(nil, name); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	return nil
}

// checkParty returns an error where the name is malformed or one of the list.
func checkParty(list []Party, name string) error {
	if !partyName.MatchString(name) {
		return fmt.Errorf("the name %.80q is not 1 to 63 of a-z 0-9 . _ -, a letter or digit first", name)
	}
	if i := slices.IndexFunc(list, func(p Party) bool { return p.Name == name }); i >= 0 {
		state := ""
		if list[i].Revoked {
			state = ", which is revoked: choose another name"
		}
		return fmt.Errorf("there is a party %s already%s", name, state)
	}
	return nil
}

// Parties returns the users in the order in which they were added, revoked ones included. The error of a folder without
// a list wraps fs.ErrNotExist.
func (f *Folder) Parties() ([]Party, error) {
	data, err := os.ReadFile(f.file(partiesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cluster: %s holds no cluster: make one with `tune cluster init`: %w", f.path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	var p parties
	if err := strictjson.Decode(data, &p); err != nil {
		return nil, fmt.Errorf("cluster: %s: %w", f.file(partiesFile), err)
	}
	if p.Format != partiesFormat {
		return nil, fmt.Errorf("cluster: %s has format %q, not %q", f.file(partiesFile), p.Format, partiesFormat)
	}
	for i := range p.Parties {
		if err := p.Parties[i].check(p.Parties[:i]); err != nil {
			return nil, fmt.Errorf("cluster: %s: party %d: %w", f.file(partiesFile), i+1, err)
		}
	}
	return p.Parties, nil
}

// check returns an error where the party cannot follow those before it in a list.
func (p *Party) check(before []Party) error {
	if err := checkParty(before, p.Name); err != nil {
		return err
	}
	switch {
	case p.Role != RoleCoordinator && p.Role != RoleWorker && p.Role != RoleObserver:
		return fmt.Errorf("the role of %s is %.80q, not %s, %s or %s", p.Name, p.Role, RoleCoordinator, RoleWorker, RoleObserver)
	case !nkeys.IsValidPublicUserKey(p.Key):
		return fmt.Errorf("the key of %s is %.80q, which is not a public key of a user", p.Name, p.Key)
	case slices.ContainsFunc(before, func(other Party) bool { return other.Key == p.Key }):
		return fmt.Errorf("the key of %s is that of another party", p.Name)
	}
	return nil
}

// checkCoordinator returns an error where the server of the folder would not let the credentials coordinate.
func (f *Folder) checkCoordinator(creds *Creds) error {
	list, err := f.Parties()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(p Party) bool { return p.Key == creds.Key() && p.Role == RoleCoordinator })
	switch {
	case i < 0:
		return fmt.Errorf("cluster: the coordinator's key %s is not in %s: its credentials are of another cluster", creds.Key(), f.file(partiesFile))
	case list[i].Revoked:
		return fmt.Errorf("cluster: the coordinator is revoked in %s: make another cluster with `tune cluster init`", f.file(partiesFile))
	}
	return nil
}

// change replaces the list of parties by what edit makes of it. While another process changes the list it is refused.
func (f *Folder) change(edit func([]Party) ([]Party, error)) error {
	lock, err := os.OpenFile(f.file(lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	defer lock.Close()
	if err := filelock.Hold(lock); err != nil {
		return fmt.Errorf("cluster: the list of parties in %s: %w", f.path, err)
	}
	list, err := f.Parties()
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the list of a new cluster begins with its first party
		return err
	}
	if list, err = edit(list); err != nil {
		return err
	}
	data, err := json.MarshalIndent(parties{partiesFormat, list}, "", "  ")
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	conf, err := serverConf(list)
	if err != nil {
		return err
	}
	if err := replaceSecret(f.ConfFile(), []byte(conf)); err != nil {
		return err
	}
	return replaceSecret(f.file(partiesFile), append(data, '\n')) // last: what the list has is there
}
