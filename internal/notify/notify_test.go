package notify

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for target, good := range map[string]bool{
		"desktop": true, "https://hooks.example/x": true, "http://127.0.0.1:9": true,
		"": false, "desk": false, "ftp://host/x": false, "https://": false, "hooks.example/x": false, "file:///etc/passwd": false,
	} {
		t.Run(target, func(t *testing.T) {
			if err := Check(target); (err == nil) != good {
				t.Errorf("error %v, want good %v", err, good)
			}
		})
	}
}

// An address gets the object; what goes wrong is told without the secret in the address.
func TestAddress(t *testing.T) {
	var got map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved/secret" {
			http.Redirect(w, r, "/secret", http.StatusFound)
			return
		}
		if r.URL.Path != "/secret" || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	message := &Message{Title: "t", Words: "w", Object: map[string]string{"verdict": "unproven"}}
	if err := Send(t.Context(), server.URL+"/secret", message); err != nil || got["verdict"] != "unproven" {
		t.Errorf("the address got %v (%v)", got, err)
	}
	for _, test := range []struct{ name, address, want string }{
		{"refused", server.URL + "/other/secret", "answered 418"},
		{"moved", server.URL + "/moved/secret", "answered 302"},
		{"nobody there", "http://127.0.0.1:1/secret", "refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Send(t.Context(), test.address, message)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, want %q and no secret", err, test.want)
			}
		})
	}
}

func TestDesktop(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs of scripts are not found there")
	}
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	message := &Message{Title: "Quintune: run r", Words: "passed"}
	if err := Send(t.Context(), desktop, message); err == nil || !strings.Contains(err.Error(), "no notify-send") {
		t.Errorf("error %v", err)
	}
	script := "#!/bin/sh\nprintf '%s|' \"$@\" >" + filepath.Join(folder, "shown") + "\n"
	if err := os.WriteFile(filepath.Join(folder, "notify-send"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Send(t.Context(), desktop, message); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "shown")); err != nil || string(got) != "--app-name=Quintune|--|Quintune: run r|passed|" {
		t.Errorf("shown %q (%v)", got, err)
	}
}
