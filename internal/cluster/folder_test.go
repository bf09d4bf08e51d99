package cluster

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestFilesAreForTheOwnerAlone(t *testing.T) {
	f := folder(t)
	_, err := InitFolder(f.path, nil, nil, time.Hour)
	wanted(t, err, "holds a cluster already", "`tune cluster add NAME --cluster-dir ", "`tune cluster init --renew --cluster-dir ", "another --cluster-dir")
	files, err := os.ReadDir(f.path)
	if err != nil || len(files) != 11 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", file.Name(), info.Mode())
		}
		data, err := os.ReadFile(f.file(file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if secret := strings.Contains(string(data), "PRIVATE KEY") || strings.Contains(string(data), pemSeed); secret !=
			(strings.HasSuffix(file.Name(), "-key.pem") || strings.HasSuffix(file.Name(), credsEnding)) {
			t.Errorf("%s holds a secret: %v", file.Name(), secret)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(f.CredsFile("w1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCreds(f.CredsFile("w1")); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("credentials that everybody can read: %v", err)
	}
}

// A wrong name of a worker leaves no half of a cluster, in whose folder no other can be made.
func TestWrongNamesMakeNoCluster(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster")
	for _, names := range [][]string{{"big", "Small"}, {"big", " small"}, {"big", "big"}, {"big", ObserverName}, {""}} {
		if _, err := InitFolder(path, nil, names, time.Hour); err == nil {
			t.Errorf("workers %q are accepted", names)
		}
	}
	if _, err := InitFolder(path, nil, []string{"big", "small"}, time.Hour); err != nil {
		t.Errorf("after refused names: %v", err)
	}
}

// A certificate for an address with a scheme or a port, or for half of a list, fits no worker.
func TestHostsThatNoWorkerReachesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster")
	for _, host := range []string{"host.example:4222", "10.0.0.1:4222", "tls://host.example", "", " host.example", "host example", "10.0.0.256", "[::1]", "host.", "a..b", "-a"} {
		if _, err := InitFolder(path, []string{"host.example", host}, nil, time.Hour); err == nil || !strings.Contains(err.Error(), strconv.Quote(host)) {
			t.Errorf("host %q: %v", host, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a folder for refused hosts")
	}
	if _, err := InitFolder(path, []string{"node_3", "3-node", "host-1.example", "*.example", "10.0.0.25", "fe80::1", "HOST"}, nil, time.Hour); err != nil {
		t.Error(err)
	}
}

// A file that is in the way leaves no half of a cluster, which no command accepts.
func TestNoHalfOfACluster(t *testing.T) {
	for _, name := range []string{serverFile, partiesFile, confFile, "big" + credsEnding} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			if err := os.WriteFile(filepath.Join(path, name), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := InitFolder(path, nil, []string{"big"}, time.Hour); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%v", err)
			}
			if files, err := os.ReadDir(path); err != nil || len(files) != 1 {
				t.Errorf("the folder holds %v, %v", files, err)
			}
		})
	}
	path := t.TempDir()
	if err := os.Mkdir(filepath.Join(path, partiesFile+".new"), 0o700); err != nil { // cannot be replaced
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, partiesFile+".new", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := InitFolder(path, nil, []string{"big"}, time.Hour); err == nil {
		t.Error("a list that cannot be written")
	}
	if files, err := os.ReadDir(path); err != nil || len(files) != 1 {
		t.Errorf("after a failure the folder holds %v, %v", files, err)
	}
}

// Of several processes that make a cluster in one folder at a time, one does, and the others leave its files alone.
func TestOneMakesTheCluster(t *testing.T) {
	for range 5 {
		path := t.TempDir()
		failed := make(chan error, 2)
		for range cap(failed) {
			go func() {
				_, err := InitFolder(path, nil, []string{"big"}, time.Hour)
				failed <- err
			}()
		}
		if a, b := <-failed, <-failed; (a == nil) == (b == nil) {
			t.Fatalf("they ended with %v and %v", a, b)
		}
		f, err := OpenFolder(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := LoadCreds(f.CredsFile("big")); err != nil {
			t.Error(err)
		}
	}
}

// A worker that could not be added can be added later. A file that a kill has left says what to do.
func TestAWorkerHalfAdded(t *testing.T) {
	f := folder(t)
	for _, file := range []string{partiesFile, confFile} {
		t.Run(file, func(t *testing.T) {
			blocked := f.file(file + ".new")
			if err := os.MkdirAll(filepath.Join(blocked, "x"), 0o700); err != nil { // cannot be replaced
				t.Fatal(err)
			}
			name := file + ".worker"
			if err := f.Add(name, RoleWorker, time.Hour); err == nil {
				t.Error("added without a change of the list")
			}
			if err := os.RemoveAll(blocked); err != nil {
				t.Fatal(err)
			}
			if err := f.Add(name, RoleWorker, time.Hour); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
	left := f.CredsFile("left")
	if err := os.WriteFile(left, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Add("left", RoleWorker, time.Hour); err == nil || !strings.Contains(err.Error(), left+" is there: delete it") {
		t.Errorf("a file that is left: %v", err)
	}
	if data, err := os.ReadFile(left); err != nil || string(data) != "x" {
		t.Errorf("it holds %q now, %v", data, err)
	}
}
