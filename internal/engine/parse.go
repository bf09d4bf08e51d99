package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"quintune/internal/atomicfile"
	"quintune/internal/strictjson"
	"quintune/weights"
)

// parse reads the text of an engine file.
func parse(path string, data []byte) (*File, error) {
	if err := strictjson.CheckKind(data, strictjson.Engine); err != nil {
		return nil, err
	}
	root, err := rootOf(data)
	if err != nil {
		return nil, err
	}
	top, err := mappingOf(root, "", []string{"command", "pass", "parameters", "template", "weights", "file", "reload", "limit", "memory", "wins"})
	if err != nil {
		return nil, err
	}
	f := &File{Path: path}
	if f.Command, err = top.text("command", true); err != nil {
		return nil, err
	}
	if f.Pass, err = choice(top, "pass", passes, ""); err != nil {
		return nil, err
	}
	if f.Wins, err = choice(top, "wins", []Wins{Played, Confirmed, Announced}, Played); err != nil {
		return nil, err
	}
	if err := f.parseLimits(top); err != nil {
		return nil, err
	}
	if err := f.parseParameters(top); err != nil {
		return nil, err
	}
	if err := f.parseOutput(top); err != nil {
		return nil, err
	}
	if err := f.resolve(); err != nil {
		return nil, top.failed("command", err)
	}
	f.hash, err = f.hashed()
	return f, err
}

// program returns the absolute path of a program, looked up in PATH where it has none.
func program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		err = errors.Unwrap(err) // without the name
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err
		}
		return "", fmt.Errorf("program %.80q cannot be run: %w", name, err)
	}
	return filepath.Abs(path)
}

// parseLimits reads the limits of a move.
func (f *File) parseLimits(top mapping) error {
	limit, err := top.text("limit", false)
	if err != nil {
		return err
	}
	if limit != "" && limit != "nodes" {
		f.Time, err = time.ParseDuration(limit)
		if err != nil || f.Time < time.Millisecond || f.Time > time.Hour {
			return top.wrong("limit", "%.60q is neither nodes nor a time a move from 1ms to 1h, such as 50ms", limit)
		}
	}
	if _, given := top.values["memory"]; given {
		bytes, err := top.number("memory", true)
		if err != nil {
			return err
		}
		if bytes < 1<<20 || bytes > 1<<50 || bytes != math.Trunc(bytes) {
			return top.wrong("memory", "%s is not a whole number of bytes in [%d, %d]", number(bytes), 1<<20, int64(1)<<50)
		}
		f.Memory = int64(bytes)
	}
	return nil
}

// maxParameters bounds the parameters of a file.
const maxParameters = 1000

func (f *File) parseParameters(top mapping) error {
	list, given := top.values["parameters"]
	if !given || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return top.wrong("parameters", "is not a list of parameters: one is wanted at least")
	}
	if len(list.Content) > maxParameters {
		return top.wrong("parameters", "holds %d, more than %d", len(list.Content), maxParameters)
	}
	for i, node := range list.Content {
		m, err := mappingOf(node, fmt.Sprintf("parameters[%d].", i), []string{"name", "kind", "start", "min", "max", "scale", "step", "group"})
		if err != nil {
			return err
		}
		p, err := f.parseParameter(m)
		if err != nil {
			return err
		}
		f.Parameters = append(f.Parameters, p)
	}
	return nil
}

func (f *File) parseParameter(m mapping) (p Parameter, err error) {
	if p.Name, err = m.text("name", true); err != nil {
		return p, err
	}
	if err := f.checkName(p.Name); err != nil {
		return p, m.wrong("name", "%w", err)
	}
	m.at = p.Name + ": "
	if p.Kind, err = choice(m, "kind", []Kind{Int, Float}, ""); err != nil {
		return p, err
	}
	if p.Scale, err = choice(m, "scale", []Scale{Linear, Log}, Linear); err != nil {
		return p, err
	}
	if p.Group, err = m.text("group", false); err != nil {
		return p, err
	}
	if p.Group == "" {
		p.Group = "all"
	}
	for _, field := range []struct {
		key    string
		into   *float64
		wanted bool
	}{{"start", &p.Start, true}, {"min", &p.Min, true}, {"max", &p.Max, true}, {"step", &p.Step, false}} {
		if *field.into, err = m.number(field.key, field.wanted); err != nil {
			return p, err
		}
		if v := *field.into; p.Kind == Int && (v != math.Trunc(v) || math.Abs(v) > maxWhole) {
			return p, m.wrong(field.key, "is %s, not a whole number of at most 2^53, as kind int wants", number(v))
		}
	}
	return p, p.checkBounds(m)
}

func (p *Parameter) checkBounds(m mapping) error {
	switch {
	case p.Min >= p.Max:
		return m.wrong("min", "is %s, not below max %s", number(p.Min), number(p.Max))
	case p.Start < p.Min || p.Start > p.Max:
		return m.wrong("start", "is %s, outside [%s, %s]", number(p.Start), number(p.Min), number(p.Max))
	case p.Scale == Log && p.Min <= 0:
		return m.wrong("min", "is %s: scale log wants a min above 0", number(p.Min))
	case p.Step < 0 || p.Step > p.Max-p.Min:
		return m.wrong("step", "is %s, outside [0, max - min = %s]", number(p.Step), number(p.Max-p.Min))
	case math.IsInf(p.Max-p.Min, 0):
		return m.wrong("max", "is %s, too far from min %s", number(p.Max), number(p.Min))
	}
	return nil
}

// parseOutput reads what pass template and pass weights write for the engine.
func (f *File) parseOutput(top mapping) error {
	for _, key := range []string{"template", "weights", "file", "reload"} {
		_, given := top.values[key]
		wanted := key == string(f.Pass) || (key == "file" || key == "reload") && (f.Pass == Template || f.Pass == Weights)
		if given && !wanted {
			return top.wrong(key, "is not for pass %s", f.Pass)
		}
	}
	output, err := top.text("file", false)
	if err != nil {
		return err
	}
	if output != "" && (output != filepath.Base(output) || strings.ContainsAny(output, `/\`) || output == "." || output == "..") {
		return top.wrong("file", "%.60q is not the name of a file without a folder", output)
	}
	if f.Reload, err = top.text("reload", false); err != nil {
		return err
	}
	if f.Reload != "" && !strings.Contains(f.Reload, filePlaceholder) || strings.ContainsAny(f.Reload, "\r\n") {
		return top.wrong("reload", "is not one line of the protocol with %s in it", filePlaceholder)
	}
	switch f.Pass {
	case Template:
		err = f.parseTemplate(top)
	case Weights:
		err = f.parseWeights(top)
	default:
		if strings.Contains(f.Command, filePlaceholder) || strings.Contains(f.Command, folderPlaceholder) {
			return top.wrong("command", "holds %s or %s, which pass %s does not write", filePlaceholder, folderPlaceholder, f.Pass)
		}
	}
	if output != "" {
		f.Output = output
	}
	return err
}

func (f *File) parseTemplate(top mapping) error {
	path, err := top.text("template", true)
	if err != nil {
		return err
	}
	if f.template, err = atomicfile.Read(f.beside(path), maxFile); err != nil {
		return top.failed("template", err)
	}
	f.read = append(f.read, f.beside(path))
	f.Output = filepath.Base(path)
	for _, ending := range []string{".template", ".tmpl", ".in"} {
		f.Output = strings.TrimSuffix(f.Output, ending)
	}
	if err := f.checkTemplate(); err != nil {
		return top.wrong("template", "%s: %w", path, err)
	}
	return nil
}

func (f *File) parseWeights(top mapping) error {
	f.Output = "weights.json"
	start, err := top.text("weights", false)
	switch {
	case err != nil:
		return err
	case start == "" && !slices.ContainsFunc(f.Parameters, isWeight):
		return nil // an engine with names of its own
	case start == "":
		start = "default"
	}
	if strings.HasSuffix(start, ".json") {
		f.read = append(f.read, f.beside(start))
		f.base, err = weights.Load(f.beside(start))
	} else {
		f.base, err = weights.Preset(start)
	}
	if err != nil {
		return top.failed("weights", err)
	}
	for _, values := range f.corners() {
		if _, err := f.weightsOf(values); err != nil {
			return top.failed("parameters", err)
		}
	}
	return nil
}

// isWeight reports whether a parameter is a weight of our own engine.
func isWeight(p Parameter) bool {
	return slices.ContainsFunc(weights.Declarations(), func(d weights.Decl) bool { return d.Name == p.Name })
}

// mapping is a YAML mapping with known keys.
type mapping struct {
	node   *yaml.Node
	at     string // what stands before a key in messages: "parameters[2]."
	values map[string]*yaml.Node
}

// mappingOf reads a mapping. Unknown and repeated keys are errors.
func mappingOf(node *yaml.Node, at string, known []string) (mapping, error) {
	m := mapping{node: node, at: at, values: map[string]*yaml.Node{}}
	if node.Kind != yaml.MappingNode {
		return m, fmt.Errorf("line %d: %s is not a list of keys and values", node.Line, cmp.Or(strings.TrimSuffix(at, "."), "the file"))
	}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case !slices.Contains(known, key.Value):
			return m, fmt.Errorf("line %d: %s%.60s is not a key, those are %s", key.Line, at, key.Value, strings.Join(known, ", "))
		case m.values[key.Value] != nil:
			return m, fmt.Errorf("line %d: %s%s is given twice", key.Line, at, key.Value)
		}
		m.values[key.Value] = value
	}
	return m, nil
}

// wrong returns an error about a key, with its line where it is given. The format goes on with the sentence that the key begins.
func (m mapping) wrong(key, format string, args ...any) error {
	return fmt.Errorf("line %d: %s%s %w", m.line(key), m.at, key, fmt.Errorf(format, args...))
}

// failed is wrong for an error that is a sentence of its own.
func (m mapping) failed(key string, err error) error {
	return fmt.Errorf("line %d: %s%s: %w", m.line(key), m.at, key, err)
}

// line returns the line of a key, or that of the mapping where it is not given.
func (m mapping) line(key string) int {
	if value := m.values[key]; value != nil {
		return value.Line
	}
	return m.node.Line
}

// text returns the text of a key, "" where it is not given.
func (m mapping) text(key string, wanted bool) (string, error) {
	value := m.values[key]
	switch {
	case value == nil && wanted:
		return "", m.wrong(key, "is missing")
	case value == nil:
		return "", nil
	case value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "":
		return "", m.wrong(key, "is not a text")
	}
	return value.Value, nil
}

// number returns the finite number of a key, 0 where it is not given.
func (m mapping) number(key string, wanted bool) (float64, error) {
	value := m.values[key]
	switch {
	case value == nil && wanted:
		return 0, m.wrong(key, "is missing")
	case value == nil:
		return 0, nil
	}
	v, err := strconv.ParseFloat(value.Value, 64)
	if value.Kind != yaml.ScalarNode || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, m.wrong(key, "is %.60q, not a number", value.Value)
	}
	return v, nil
}

// choice returns one of several words, or standard where the key is missing; a standard of "" makes the key
// mandatory.
func choice[T ~string](m mapping, key string, words []T, standard T) (T, error) {
	text, err := m.text(key, standard == "")
	if err != nil || text == "" {
		return standard, err
	}
	if !slices.Contains(words, T(text)) {
		return "", m.wrong(key, "is %.60q, not one of %v", text, words)
	}
	return T(text), nil
}

// rootOf returns the only document of a YAML text.
func rootOf(data []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := decoder.Decode(&first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the file is empty")
		}
		return nil, err
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return first.Content[0], nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("line %d: a second document follows", second.Line)
}
