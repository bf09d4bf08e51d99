package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nkeys"

	"quintune/internal/atomicfile"
	"quintune/internal/text"
)

// Files in a cluster's folder. Each party has a file of credentials beside them.
const (
	authorityFile    = "ca.pem"
	authorityKeyFile = "ca-key.pem"
	serverFile       = "server.pem"
	serverKeyFile    = "server-key.pem"
	partiesFile      = "parties.json"
	lockFile         = "parties.lock" // held while the list changes
	confFile         = "nats-server.conf"
	credsEnding      = ".creds"
)

// Folder holds the keys, certificates and configuration of one cluster.
type Folder struct{ path string }

// CheckNew returns an error where a new cluster cannot have the hosts and workers.
func CheckNew(hosts, workers []string) error {
	_, err := newParties(hosts, workers)
	return err
}

// newParties returns the parties of a new cluster, without their keys.
func newParties(hosts, workers []string) ([]Party, error) {
	for _, host := range hosts {
		if err := checkHost(host); err != nil {
			return nil, err
		}
	}
	all := []Party{{Name: CoordinatorName, Role: RoleCoordinator}, {Name: ObserverName, Role: RoleObserver}}
	for _, name := range workers {
		if err := checkParty(all, name); err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		all = append(all, Party{Name: name, Role: RoleWorker})
	}
	return all, nil
}

// InitFolder creates the keys, the certificates and the sample configuration of a new cluster: an authority, a
// server with the names and addresses of hosts, a coordinator, an observer, and the workers; see CheckNew. The folder is
// made where it is missing. It must hold none of these files, and holds none after an error. Only the owner can read the files.
func InitFolder(path string, hosts, workers []string, life time.Duration) (made *Folder, err error) {
	all, err := newParties(hosts, workers) // before the first file
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	f := &Folder{path}
	files := []string{f.file(authorityFile), f.file(authorityKeyFile), f.file(serverFile), f.file(serverKeyFile), f.file(partiesFile), f.file(lockFile), f.ConfFile()}
	for _, p := range all {
		files = append(files, f.CredsFile(p.Name))
	}
	for _, file := range files {
		switch _, err := os.Lstat(file); {
		case err == nil:
			return nil, f.inTheWay(filepath.Base(file))
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("cluster: %w", err)
		}
	}
	authority, err := newAuthority()
	if err != nil {
		return nil, err
	}
	own, err := newServer(authority, hosts, life)
	if err != nil {
		return nil, err
	}
	if err := createSecret(files[0], authority.certificate); err != nil { // of several processes one makes it, and the folder is that one's
		return nil, err
	}
	defer func() {
		if err == nil {
			return
		}
		for _, file := range files {
			_ = os.Remove(file) // not all were made
		}
	}()
	for _, file := range []struct {
		name string
		data []byte
	}{
		{authorityKeyFile, authority.key},
		{serverFile, own.certificate},
		{serverKeyFile, own.key},
	} {
		if err := createSecret(f.file(file.name), file.data); err != nil {
			return nil, err
		}
	}
	for _, p := range all {
		if err := f.Add(p.Name, p.Role, life); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// inTheWay returns the error of a new cluster in whose folder a file is.
func (f *Folder) inTheWay(file string) error {
	if _, err := f.Parties(); err != nil {
		return fmt.Errorf("cluster: %s holds a part of a cluster: %s is there: move it away, or choose another --cluster-dir", f.path, file)
	}
	add := text.CommandLine("tune", "cluster", "add", "NAME", "--cluster-dir", f.path)
	return fmt.Errorf("cluster: %s holds a cluster already: make credentials of one more worker with `%s`, %s, or choose another --cluster-dir",
		f.path, add, f.anew("the server's certificate"))
}

// OpenFolder opens the folder of a cluster that InitFolder has made.
func OpenFolder(path string) (*Folder, error) {
	f := &Folder{path}
	if _, err := f.Parties(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *Folder) file(name string) string { return filepath.Join(f.path, name) }

// CredsFile returns the path of a party's credentials.
func (f *Folder) CredsFile(name string) string { return f.file(name + credsEnding) }

// ConfFile returns the path of the sample configuration.
func (f *Folder) ConfFile() string { return f.file(confFile) }

// Add makes the credentials of another party. Its certificate is valid for the given time. While another process changes
// the list of parties the error wraps filelock.ErrHeld.
func (f *Folder) Add(name string, role Role, life time.Duration) error {
	made := ""
	err := f.change(func(list []Party) ([]Party, error) {
		if err := checkParty(list, name); err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		authority, err := f.authority()
		if err != nil {
			return nil, err
		}
		own, err := newClient(authority, name, life)
		if err != nil {
			return nil, err
		}
		pair, err := nkeys.CreateUser()
		if err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		defer pair.Wipe()
		seed, err := pair.Seed()
		if err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		key, err := pair.PublicKey()
		if err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		path := f.CredsFile(name)
		switch err := createSecret(path, marshalCreds(own, authority.certificate, seed)); {
		case errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("cluster: there is no party %s, but %s is there: delete it, or choose another name", name, path)
		case err != nil:
			return nil, err
		}
		made = path
		return append(list, Party{name, role, key, time.Now().Add(life).UTC().Truncate(time.Second), false}), nil
	})
	if err != nil && made != "" {
		return errors.Join(err, os.Remove(made)) // the name can be used again
	}
	return err
}

// Revoke removes a party's key from the server's list. Our own server notices within seconds and ends its
// connection; an outside nats-server must be told to reload. The error is filelock.ErrHeld as for Add.
func (f *Folder) Revoke(name string) error {
	return f.change(func(list []Party) ([]Party, error) {
		i := slices.IndexFunc(list, func(p Party) bool { return p.Name == name || p.Key == name })
		if i < 0 {
			return nil, fmt.Errorf("cluster: there is no party %.80q in %s", name, f.path)
		}
		list[i].Revoked = true
		return list, nil
	})
}

// authority reads the certificate authority.
func (f *Folder) authority() (*issued, error) {
	certificate, err := os.ReadFile(f.file(authorityFile))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	key, err := os.ReadFile(f.file(authorityKeyFile))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return &issued{certificate, key}, nil
}

// createSecret writes a new file that only the owner can read, or leaves none. The file must not exist.
func createSecret(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("cluster: %s: %w", path, errors.Join(err, os.Remove(path)))
	}
	return nil
}

// replaceSecret writes or replaces, in one step and for good, a file that only the owner can read.
func replaceSecret(path string, data []byte) error {
	fresh := path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cluster: %w", err)
	}
	if err := createSecret(fresh, data); err != nil {
		return err
	}
	err := os.Rename(fresh, path)
	if err == nil {
		err = atomicfile.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	return nil
}
