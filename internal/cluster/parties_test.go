package cluster

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quintune/internal/filelock"
)

// A list of parties that cannot be read stays as it is, for the keys in it are the only ones that the server accepts.
func TestDamagedListOfParties(t *testing.T) {
	f := folder(t)
	damaged := []byte("{")
	if err := os.WriteFile(f.file(partiesFile), damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Add("w3", RoleWorker, time.Hour); err == nil || !strings.Contains(err.Error(), partiesFile) {
		t.Errorf("a party is added: %v", err)
	}
	if data, err := os.ReadFile(f.file(partiesFile)); err != nil || string(data) != string(damaged) {
		t.Errorf("the list is now %q, %v", data, err)
	}
}

// A list that no version has written could let a party do what its role does not allow.
func TestWrongListsOfPartiesAreRefused(t *testing.T) {
	f := folder(t)
	list, err := f.Parties()
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(f.file(partiesFile))
	if err != nil {
		t.Fatal(err)
	}
	w1, w2 := list[2], list[3]
	for _, test := range []struct{ what, old, put, want string }{
		{"a role", `"role": "worker"`, `"role": "workez"`, `party 3: the role of w1 is "workez"`},
		{"a name", `"name": "w2"`, `"name": "w2\n#"`, `the name "w2\n#"`},
		{"a name that is taken", `"name": "w2"`, `"name": "w1"`, "party 4: there is a party w1 already"},
		{"a damaged key", w1.Key[:9], "UAAAAAAAA", "party 3: the key of w1"},
		{"a key that is taken", w2.Key, w1.Key, "party 4: the key of w2 is that of another party"},
	} {
		t.Run(test.what, func(t *testing.T) {
			changed := strings.Replace(string(good), test.old, test.put, 1)
			if err := os.WriteFile(f.file(partiesFile), []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := OpenFolder(f.path)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), partiesFile) || strings.Count(err.Error(), "cluster: ") > 1 {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// While another process changes the list of parties, a change here is refused: the later of two would undo the first.
func TestListOfPartiesChangesOneAtATime(t *testing.T) {
	f := folder(t)
	other, err := os.Open(f.file(lockFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := filelock.Hold(other); err != nil {
		t.Fatal(err)
	}
	before, err := f.Parties()
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"added": f.Add("w3", RoleWorker, time.Hour), "revoked": f.Revoke("w1")} {
		if !errors.Is(err, filelock.ErrHeld) {
			t.Errorf("a party is %s: %v", what, err)
		}
	}
	if now, err := f.Parties(); err != nil || !slices.Equal(now, before) {
		t.Errorf("the list is now %v, %v", now, err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Add("w3", RoleWorker, time.Hour), f.Revoke("w1")); err != nil {
		t.Error(err)
	}
}
