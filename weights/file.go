package weights

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"quintune/internal/strictjson"
	"quintune/pattern"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// Format is the value of "format" in every weights file.
	Format = "quintune.weights/1"
	// MaxFile bounds the size of a weights file, bytes.
	MaxFile = 1 << 20
)

// Load reads the weights file at path; at most MaxFile bytes are read.
func Load(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	s, err := Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// file is a weights file. Its weights are decoded with the declaration, which has their names and bounds.
type file struct {
	Format     string                    `json:"format"`
	Schema     string                    `json:"schema"`
	Name       string                    `json:"name"`
	Rule       string                    `json:"rule"`
	Size       int64                     `json:"size"`
	Weights    map[string]jsontext.Value `json:"weights"`
	Provenance *Provenance               `json:"provenance,omitempty"`
}

// Unmarshal reads a weights file. Keys may come in any order. It refuses data after the object, keys that are
// missing, unknown, duplicate or in the wrong case, and values that are not whole numbers within their bounds.
// The error names the key. A file of an older schema becomes a set with the same scores;
// numbers of the search that it lacks get their references.
func Unmarshal(data []byte) (*Set, error) { return current.unmarshal(data) }

func (sc *schema) unmarshal(data []byte) (*Set, error) {
	f, err := readFile(data)
	if err != nil {
		// The decoder's path is weights.line.four.self; the name of the weight is line.four.self.
		return nil, fmt.Errorf("weights: %s", strings.Replace(err.Error(), "weights.", "", 1))
	}
	rule, err := pattern.ParseRule(clip(f.Rule))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if err := checkSize(f.Size); err != nil {
		return nil, err
	}
	number, err := sc.numberOf(f.Schema)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: f.Name, Rule: rule, Size: int(f.Size), Provenance: f.Provenance.Rounded()}
	if s.Values, err = sc.readValues(f.Weights, number); err != nil {
		return nil, err
	}
	if err := sc.check(s); err != nil {
		return nil, err
	}
	return s, nil
}

// elsewhere is what to do with files of other kinds.
var elsewhere = map[strictjson.Kind]string{
	strictjson.Values:     ": values of an engine are played as engine:FILE@VALUES, with its engine file",
	strictjson.Checkpoint: ": a checkpoint goes on with `tune resume FILE`, and the weights of its run are candidate.json in the run's folder",
}

func readFile(data []byte) (*file, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("the file has more than %d bytes", MaxFile)
	}
	// The format is checked first, because a file of another format may have any keys.
	var members map[string]jsontext.Value
	if err := strictjson.Decode(data, &members); err != nil {
		return nil, err
	}
	if text, ok := members["format"]; ok {
		var format string
		if strictjson.Decode(text, &format) == nil && format != Format {
			advice := elsewhere[strictjson.KindOf(data)]
			return nil, fmt.Errorf("format is %s, not %q%s", quote(format), Format, advice)
		}
	}
	if _, ok := members["values"]; ok {
		return nil, errors.New("the file holds values, not weights" + elsewhere[strictjson.Values])
	}
	f := new(file)
	if err := strictjson.DecodeComplete(data, f); err != nil {
		return nil, err
	}
	if p := f.Provenance; p != nil && p.Further != nil && len(p.Further) == 0 {
		return nil, errors.New("provenance.further is an empty list")
	}
	return f, nil
}

// readValues reads the weights of the schema with the number. Weights of later schemas get their Neutral, or
// the value of their Mirror.
func (sc *schema) readValues(members map[string]jsontext.Value, number int) ([]int32, error) {
	values := make([]int32, len(sc.decls))
	var expected []string
	for _, d := range sc.everything {
		if d.partOf(number) {
			expected = append(expected, d.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(expected, name) {
			return nil, fmt.Errorf("weights: unknown key %s%s", quote(name), suggest(name, expected))
		}
	}
	for _, d := range sc.everything {
		v, err := d.read(members, number)
		if err != nil {
			return nil, err
		}
		i, isLive := sc.index[d.Name]
		switch {
		case !isLive:
		case d.Since > number && d.Mirror != "":
			values[i] = values[sc.index[d.Mirror]]
		default:
			values[i] = v
		}
	}
	return values, nil
}

// read returns the value of the weight in a file of the given schema; Neutral if that schema lacks the weight.
func (d Decl) read(members map[string]jsontext.Value, number int) (int32, error) {
	if !d.partOf(number) {
		return d.Neutral, nil
	}
	text, ok := members[d.Name]
	if !ok {
		return 0, fmt.Errorf("weights: %s is missing", d.Name)
	}
	return d.parse(text)
}

// parse returns the value of a number without fraction and exponent, if it is within the bounds.
func (d Decl) parse(text jsontext.Value) (int32, error) {
	if text.Kind() != '0' {
		return 0, fmt.Errorf("weights: %s is not a number in [%d, %d]", d.Name, d.Min, d.Max)
	}
	v, err := strconv.ParseInt(string(text), 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return 0, fmt.Errorf("weights: %s is %s, not a whole number in [%d, %d]", d.Name, clip(string(text)), d.Min, d.Max)
	}
	if err != nil {
		return 0, fmt.Errorf("weights: %s is %s, outside [%d, %d]", d.Name, clip(string(text)), d.Min, d.Max)
	}
	return int32(v), d.Check(v)
}

// Marshal returns the weights file of the set: one line for each weight, in the order of the declaration, and a
// newline at the end. Equal sets give equal bytes. It is an error when Check refuses the set.
func Marshal(s *Set) ([]byte, error) { return current.marshal(s) }

func (sc *schema) marshal(s *Set) ([]byte, error) {
	if err := sc.check(s); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"format\": %s,\n  \"schema\": %s,\n", jsonText(Format), jsonText(sc.fingerprint))
	fmt.Fprintf(&b, "  \"name\": %s, \"rule\": %s, \"size\": %d,\n  \"weights\": {", jsonText(s.Name), jsonText(s.Rule.String()), s.Size)
	for i, d := range sc.decls {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %s: %d", jsonText(d.Name), s.Values[i])
	}
	b.WriteString("\n  },\n  \"provenance\": ")
	s.Provenance.write(&b)
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

func (p *Provenance) write(b *bytes.Buffer) {
	if p == nil {
		b.WriteString("null")
		return
	}
	fmt.Fprintf(b, "{\n    \"run\": %s,\n    \"start\": %s,\n    \"seed\": %d,\n    \"games\": %d,\n    \"generations\": %d,\n    \"nodes\": %d,\n",
		jsonText(p.Run), jsonText(p.Start), p.Seed, p.Games, p.Generations, p.Nodes)
	fmt.Fprintf(b, "    \"optimizer\": %s,\n    \"engine\": %s,\n    \"commit\": %s,\n    \"proven\": %t,\n    \"validation\": ",
		jsonText(p.Optimizer), jsonText(p.Engine), jsonText(p.Commit), p.Proven)
	p.Validation.write(b)
	if p.FirstNodes > 0 {
		fmt.Fprintf(b, ",\n    \"first_nodes\": %d", p.FirstNodes)
	}
	for i := range p.Further {
		if i == 0 {
			b.WriteString(",\n    \"further\": [")
		} else {
			b.WriteString(", ")
		}
		p.Further[i].write(b)
	}
	if len(p.Further) > 0 {
		b.WriteString("]")
	}
	b.WriteString("\n  }")
}

func (v *Validation) write(b *bytes.Buffer) {
	if v == nil {
		b.WriteString("null")
		return
	}
	n, r := v.Pentanomial, v.rounded()
	fmt.Fprintf(b, "{\n      \"opponent\": %s,\n      \"nodes\": %d,\n      \"pairs\": %d,\n      \"games\": %d,\n      \"pentanomial\": [%d, %d, %d, %d, %d],\n",
		jsonText(v.Opponent), v.Nodes, v.Pairs, v.Games, n[0], n[1], n[2], n[3], n[4])
	fmt.Fprintf(b, "      \"elo\": %.2f,\n      \"elo_low\": %.2f,\n      \"elo_high\": %.2f,\n      \"openings\": %s,\n      \"seed\": %d\n    }",
		r.Elo, r.EloLow, r.EloHigh, jsonText(v.Openings), v.Seed)
}

// jsonText quotes a text that has been checked; < > & are not escaped.
func jsonText(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a valid string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
