package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"quintune/internal/atomicfile"
	"quintune/internal/strictjson"
	"quintune/internal/text"
	"quintune/weights"
)

// ResultFormat is the format of values files.
const ResultFormat = "quintune.values/1"

// Result is a values file: values of an engine's parameters, and where they come from.
type Result struct {
	Format     string              `json:"format"`
	Name       string              `json:"name"`
	Engine     string              `json:"engine"` // its name
	Values     Values              `json:"values"`
	Provenance *weights.Provenance `json:"provenance,omitempty"` // nil: not the result of a run
}

// Marshal returns the file. Equal results give equal bytes.
func (r *Result) Marshal() ([]byte, error) {
	file := *r
	file.Format, file.Provenance = ResultFormat, r.Provenance.Rounded()
	data, err := json.MarshalIndent(&file, "", "  ")
	return append(data, '\n'), err
}

// ReadResult reads a values file for the engine: at least the member values, with every parameter once, in any order and
// within its bounds.
func (f *File) ReadResult(path string) (*Result, error) {
	r, err := ReadResult(path)
	if err != nil {
		return nil, err
	}
	if r.Values, err = f.inOrder(r.Values); err != nil {
		return nil, fmt.Errorf("engine: %s: %w", path, err)
	}
	return r, nil
}

// ReadResult reads a values file of any engine.
func ReadResult(path string) (*Result, error) {
	data, err := atomicfile.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	r, err := ParseResult(data)
	if err != nil {
		return nil, fmt.Errorf("engine: %s: %w", path, err)
	}
	return r, nil
}

// ParseResult is ReadResult for the content of a file.
func ParseResult(data []byte) (*Result, error) {
	if err := strictjson.CheckKind(data, strictjson.Values); err != nil {
		return nil, err
	}
	r := new(Result)
	if err := strictjson.Decode(bytes.TrimSpace(data), r); err != nil {
		return nil, err
	}
	if r.Format != "" && r.Format != ResultFormat {
		return nil, fmt.Errorf("format is %.60q, not %q", r.Format, ResultFormat)
	}
	for _, name := range []string{r.Name, r.Engine} {
		if name != text.Printable(name) {
			return nil, fmt.Errorf("the name %.60q has an unprintable character", name)
		}
	}
	for _, v := range r.Values {
		if err := checkSpelling(v.Name); err != nil {
			return nil, fmt.Errorf("values: %w", err)
		}
	}
	return r, r.Provenance.Check()
}

// inOrder returns the values in the order of the parameters.
func (f *File) inOrder(values Values) (Values, error) {
	place := func(v Value) int {
		return slices.IndexFunc(f.Parameters, func(p Parameter) bool { return p.Name == v.Name })
	}
	ordered := slices.SortedStableFunc(slices.Values(values), func(a, b Value) int { return cmp.Compare(place(a), place(b)) })
	return ordered, f.check(ordered)
}
