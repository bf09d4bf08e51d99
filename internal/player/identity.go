package player

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os/exec"
	"strings"

	"quintune/internal/engine"
	"quintune/internal/gomocup"
)

// Identity returns a text that identifies the player of an argument: a hash of its weights with the features that are
// off; the command with a hash of every file that it names, since the content of a file may change; the hashes of an engine file
// and of its values; else the argument.
func (p *Player) Identity(argument string) string {
	switch {
	case p.Weights != nil:
		sum := sha256.Sum256(fmt.Append(nil, p.Weights.Values))
		identity := "weights " + hex.EncodeToString(sum[:8])
		if p.off != 0 {
			identity += " without " + p.off.String()
		}
		return identity
	case p.command != "":
		return argument + filesOf(p.command)
	case p.tuned != nil:
		return "engine " + p.tuned.Hash() + " " + p.values.Hash()
	}
	return argument
}

// filesOf returns the hashes of the files that a command line names, its program included.
func filesOf(command string) string {
	words, err := gomocup.SplitCommand(command)
	if err != nil {
		return ""
	}
	if path, err := exec.LookPath(words[0]); err == nil {
		words[0] = path
	}
	var b strings.Builder
	for _, word := range words {
		if sum, err := engine.HashFile(word); err == nil && sum != "" {
			b.WriteString(" " + sum)
		}
	}
	return b.String()
}
