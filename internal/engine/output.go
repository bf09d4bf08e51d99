package engine

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"quintune/internal/text"
	"quintune/weights"
)

// placeholder is where a template takes a value: {{name}}.
var placeholder = regexp.MustCompile(`\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*\}\}`)

// checkTemplate returns an error unless every placeholder of the template is a parameter and every parameter has
// a placeholder.
func (f *File) checkTemplate() error {
	found := map[string]bool{}
	for _, at := range placeholder.FindAllSubmatchIndex(f.template, -1) {
		name := string(f.template[at[2]:at[3]])
		if f.parameter(name) == nil {
			line := 1 + bytes.Count(f.template[:at[0]], []byte("\n"))
			return fmt.Errorf("line %d: placeholder {{%s}} is not a parameter", line, name)
		}
		found[name] = true
	}
	for i := range f.Parameters {
		if name := f.Parameters[i].Name; !found[name] {
			return fmt.Errorf("parameter %s has no placeholder {{%s}}", name, name)
		}
	}
	return nil
}

// fill returns the template with the values.
func (f *File) fill(values Values) []byte {
	return placeholder.ReplaceAllFunc(f.template, func(match []byte) []byte {
		p := f.parameter(string(placeholder.FindSubmatch(match)[1]))
		v, _ := values.Get(p.Name)
		return []byte(p.Format(v))
	})
}

// weightsOf returns the base weights with the values.
func (f *File) weightsOf(values Values) (*weights.Set, error) {
	set := f.base.Clone()
	set.Provenance = nil
	declared := weights.Declarations()
	for _, value := range values {
		k := slices.IndexFunc(declared, func(d weights.Decl) bool { return d.Name == value.Name })
		if k < 0 {
			return nil, fmt.Errorf("%s is not a weight", value.Name)
		}
		if v, d := value.Number, &declared[k]; v != math.Trunc(v) || v < float64(d.Min) || v > float64(d.Max) {
			return nil, fmt.Errorf("%s reaches %s, and is declared a whole number in [%d, %d]", d.Name, number(v), d.Min, d.Max)
		}
		set.Values[k] = int32(value.Number)
	}
	return set, nil
}

// foreignWeights returns a file in the format of weights files that holds the values alone, under the engine's names.
func (f *File) foreignWeights(values Values) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"format\": %q,\n  \"name\": %q,\n  \"weights\": {", weights.Format, text.ASCII(f.Name(), maxName))
	for i := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %q: %s", values[i].Name, f.Parameters[i].Format(values[i].Number))
	}
	b.WriteString("\n  }\n}\n")
	return b.Bytes()
}

// maxName bounds the name of an engine in files, bytes.
const maxName = 80

// corners returns the start values and both bounds.
func (f *File) corners() []Values {
	lowest, highest := f.Bounds()
	return []Values{f.Start(), lowest, highest}
}

// Form returns the values in the form that the engine reads: the filled template, a weights file, or a line for each value. The
// values must be valid for the file: see [File.Check].
func (f *File) Form(values Values) ([]byte, error) {
	switch f.Pass {
	case Template:
		return f.fill(values), nil
	case Weights:
		if f.base == nil {
			return f.foreignWeights(values), nil
		}
		set, err := f.weightsOf(values)
		if err != nil {
			return nil, err
		}
		return weights.Marshal(set)
	}
	var b bytes.Buffer
	for _, line := range f.lines(values) {
		fmt.Fprintln(&b, line)
	}
	return b.Bytes(), nil
}

// FormPath returns the file for values in the form that the engine reads, beside a values file; none, "", beside what is not a file,
// such as a pipe or /dev/null.
func (f *File) FormPath(path string) string {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return ""
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	ending, ok := map[Pass]string{Weights: ".weights.json", Info: ".info", Argument: ".arguments", Environment: ".env"}[f.Pass]
	if !ok {
		ending = filepath.Ext(f.Output)
	}
	if base+ending == path {
		return base + ".engine" + ending // both are JSON
	}
	return base + ending
}

// lines returns the values as the lines of INFO, the arguments or the variables that the engine gets; none for other ways.
func (f *File) lines(values Values) []string {
	pattern, ok := map[Pass]string{Info: "INFO %s %s", Argument: "--%s=%s", Environment: "%s=%s"}[f.Pass]
	if !ok {
		return nil
	}
	lines := make([]string, len(values))
	for i := range values {
		lines[i] = fmt.Sprintf(pattern, values[i].Name, f.Parameters[i].Format(values[i].Number))
	}
	return lines
}

// told returns the command with the path of the file that is written for the engine.
func (f *File) told(path string) []string {
	words := make([]string, len(f.words))
	for i := range words {
		words[i] = placed(f.words[i], path)
	}
	return words
}

// placed replaces the placeholders in a text by the path of a file and by its folder.
func placed(text, path string) string {
	return strings.NewReplacer(filePlaceholder, path, folderPlaceholder, filepath.Dir(path)).Replace(text)
}
