package guard

import (
	"crypto/subtle"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode"
)

// Bounds of a token, bytes. The least is what cannot be tried out.
const (
	minToken = 16
	maxToken = 1024
)

// ReadToken returns the token of a file that only its owner and group may read: one line of 16 to 1024 bytes without
// blanks. The path "" stands for no token. An error never holds the content.
func ReadToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("token-file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("token-file: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		return "", fmt.Errorf("token-file: everybody can read %s (mode %04o): chmod 600 %s", path, info.Mode().Perm(), path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxToken+3)) // its line's end, and one too many
	if err != nil {
		return "", fmt.Errorf("token-file: %w", err)
	}
	token := strings.TrimRight(string(data), "\r\n")
	if len(token) < minToken || len(token) > maxToken {
		return "", fmt.Errorf("token-file: the token in %s has %d bytes, outside [%d, %d]", path, len(token), minToken, maxToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return "", fmt.Errorf("token-file: the token in %s holds blanks or unprintable characters", path)
	}
	return token, nil
}

// isSession compares a cookie's value in constant time.
func (g *Guard) isSession(value string) bool {
	return subtle.ConstantTimeCompare([]byte(g.session), []byte(value)) == 1
}
