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
	if !partyName.MatchString(name) {
		return fmt.Errorf("cluster: the name %.80q is not 1 to 63 of a-z 0-9 . _ -, a letter or digit first", name)
	}
	return nil
}

// checkParty returns an error where the name is malformed or one of the list.
func checkParty(list []Party, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if i := slices.IndexFunc(list, func(p Party) bool { return p.Name == name }); i >= 0 {
		state := ""
		if list[i].Revoked {
			state = ", which is revoked: choose another name"
		}
		return fmt.Errorf("cluster: there is a party %s already%s", name, state)
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
	return p.Parties, nil
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
