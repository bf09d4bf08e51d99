package bench

import (
	_ "embed"
	"strings"
)

// The golden files hold the signature in the first line and the result of every position in the others.
// They are the signature's source at run time, since computing it takes seconds. A test computes both
// again and fails where they differ. `go test ./internal/bench -update` rewrites them.

//go:embed testdata/signature.golden
var signatureGolden string

// SignaturePreset names the weights of the engine's signature. It is a table of the literature, so that
// new default weights do not change the signature.
const SignaturePreset = "huang"

// Signature returns the engine signature "nodes-hash", which runs, workers and weight files carry:
// the bench with SignaturePreset at Depth. Equal signatures promise equal games.
func Signature() string {
	line, _, _ := strings.Cut(signatureGolden, "\n")
	return strings.TrimSpace(line)
}
