package strictjson

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kind is what a file of this project is for.
type Kind string

// Kinds of files, as messages name them. Those of JSON have it in their first member, "format".
const (
	Weights       Kind = "a weights file"
	Values        Kind = "a values file"
	Checkpoint    Kind = "a checkpoint"
	Record        Kind = "a record of games"
	Puzzles       Kind = "a file of puzzles"
	Engine        Kind = "an engine file"
	Configuration Kind = "a configuration file"
)

// kinds are the kinds by the name in "format", as in quintune.weights/1.
var kinds = map[string]Kind{"weights": Weights, "values": Values, "checkpoint": Checkpoint, "game": Record, "puzzle": Puzzles}

// CheckKind returns an error if the first JSON value of a file says that it is of another kind than the one that is wanted.
func CheckKind(data []byte, want Kind) error {
	if kind := KindOf(data); kind != "" && kind != want {
		return fmt.Errorf("this is %s, not %s", kind, want)
	}
	return nil
}

// KindOf returns the kind that the first JSON value of a file names by its format; values may lack that. It is "" where the file does
// not say its kind.
func KindOf(data []byte) Kind {
	var file struct {
		Format string         `json:"format"`
		Values jsontext.Value `json:"values"`
	}
	if json.UnmarshalDecode(jsontext.NewDecoder(bytes.NewReader(data)), &file) != nil {
		return ""
	}
	if file.Format == "" && file.Values != nil {
		return Values
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(file.Format, "quintune."), "/")
	return kinds[name]
}
