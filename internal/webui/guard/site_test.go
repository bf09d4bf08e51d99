package guard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOtherAddressesNeedAToken(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		t.Run(address, func(t *testing.T) {
			if _, err := Open(t.Context(), address, ""); !errors.Is(err, errToken) {
				t.Errorf("%s: error %v, want %v", address, err, errToken)
			}
			site, err := Open(t.Context(), address, goodToken)
			if err != nil {
				t.Errorf("%s with a token: %v", address, err)
				return
			}
			if err := site.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	for _, wrong := range []string{"", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:http:x"} {
		t.Run(wrong, func(t *testing.T) {
			if _, err := Open(t.Context(), wrong, ""); !Misused(err) || !strings.HasPrefix(err.Error(), "listen: ") || !strings.Contains(err.Error(), "a port in [0, 65535]") {
				t.Errorf("address %q: error %v", wrong, err)
			}
		})
	}
	if _, err := Open(t.Context(), "127.0.0.1:0", "", "a b"); !Misused(err) {
		t.Errorf("a name with a blank: error %v", err)
	}
}

func TestSiteEndsWithItsContext(t *testing.T) {
	site, err := Open(t.Context(), "127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	streaming := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	go func() { ended <- site.Serve(ctx, streaming, slog.New(slog.DiscardHandler)) }()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(site.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if body, _ := io.ReadAll(answer.Body); string(body) != "first\n" {
		t.Errorf("the stream held %q", body)
	}
}

func TestReadToken(t *testing.T) {
	tests := []struct {
		content, want, err string
	}{
		{content: goodToken, want: goodToken},
		{content: goodToken + "\r\n", want: goodToken},
		{content: strings.Repeat("x", 1024) + "\n", want: strings.Repeat("x", 1024)},
		{content: strings.Repeat("x", 1025), err: "outside [16, 1024]"},
		{content: "short", err: "5 bytes, outside [16, 1024]"},
		{content: "", err: "0 bytes"},
		{content: "0123456789 0123456789", err: "blanks"},
		{content: "0123456789\n0123456789", err: "blanks"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%d bytes", len(test.content)), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			token, err := ReadToken(path)
			if token != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("token %.20q, error %v", token, err)
			}
			if err != nil && test.content != "" && strings.Contains(err.Error(), test.content) {
				t.Errorf("the error holds the content: %v", err)
			}
		})
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.WriteFile(open, []byte(goodToken), 0o604); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o604); err != nil { // whatever the umask
		t.Fatal(err)
	}
	if _, err := ReadToken(open); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "(mode 0604): chmod 600")) {
		t.Errorf("a file that everybody can read: %v", err)
	}
	if _, err := ReadToken(t.TempDir()); err == nil || !strings.HasSuffix(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := ReadToken(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if token, err := ReadToken(""); token != "" || err != nil {
		t.Errorf("no path: %q, %v", token, err)
	}
}
