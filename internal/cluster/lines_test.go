package cluster

import (
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"
)

// canned is a connection that receives a text.
type canned struct {
	net.Conn
	io.Reader
}

func (c canned) Read(p []byte) (int, error) { return c.Reader.Read(p) }

// No subject holds a carriage return, payloads stay as they are, and a server that claims too much is left.
func TestLineConn(t *testing.T) {
	const most = "4194304" // mostPayload
	for _, test := range []struct {
		name, sent, want string
		failure          string // of the connection after that; "": its end
	}{
		{"other lines", "INFO {}\r\nPING\r\n+OK\r\n", "INFO {}\r\nPING\r\n+OK\r\n", ""},
		{"a message", "MSG a.b 9 5\r\nhello\r\nPING\r\n", "MSG a.b 9 5\r\nhello\r\nPING\r\n", ""},
		{"a number of a subscription in the subject", "MSG a.b\r14 9 1\r\nx\r\n", "MSG a.b?14 9 1\r\nx\r\n", ""},
		{"too many words in the reply", "MSG a 9 r\r1\r2 1\r\nx\r\n", "MSG a 9 r?1?2 1\r\nx\r\n", ""},
		{"small letters, tabs and headers", "hmsg\ta\r1 9 2 3\r\nabc\r\n", "hmsg\ta?1 9 2 3\r\nabc\r\n", ""},
		{"a payload like lines", "MSG a 9 16\r\nMSG b\r9 9 1\r\nx\r\n\r\nPING\r\n", "MSG a 9 16\r\nMSG b\r9 9 1\r\nx\r\n\r\nPING\r\n", ""},
		{"an empty payload", "MSG a 9 0\r\n\r\nMSG a\r1 9 0\r\n\r\n", "MSG a 9 0\r\n\r\nMSG a?1 9 0\r\n\r\n", ""},
		{"a message as long as there may be", "MSG a 9 " + most + "\r\nx", "MSG a 9 " + most + "\r\nx", ""},
		{"a longer one", "PING\r\nMSG a 9 4194305\r\nx", "PING\r\n", `a message of "4194305" bytes`},
		{"no number", "MSG a 9 x\r\nx", "", `a message of "x" bytes`},
		{"a negative one", "MSG a 9 -1\r\nx", "", `a message of "-1" bytes`},
		{"a line without end", strings.Repeat("x", mostLine+1), "", "buffer full"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(test.sent), iotest.OneByteReader(strings.NewReader(test.sent))} {
				got, err := io.ReadAll(newLineConn(canned{Reader: in}))
				if string(got) != test.want {
					t.Errorf("got %.80q, want %.80q", got, test.want)
				}
				if said := ""; err != nil || test.failure != "" {
					if err != nil {
						said = err.Error()
					}
					if test.failure == "" || !strings.Contains(said, test.failure) {
						t.Errorf("the error is %q, want %q", said, test.failure)
					}
				}
			}
		})
	}
}
