package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"quintune/internal/atomicfile"
	"quintune/internal/strictjson"
	"quintune/internal/text"
)

// DefaultFile is read from the working directory when no --config is given.
const DefaultFile = "quintune.yaml"

// configFlag is the flag that names another file.
const configFlag = "config"

// fileEndings returns the endings of configuration files.
func fileEndings() []string { return []string{"yaml", "yml", "json"} }

// maxFile bounds a configuration file, bytes.
const maxFile = 1 << 20

// file is the content of a configuration file for one program. JSON is read as YAML, since every JSON text is YAML.
// Every value is kept as the text in the file and parsed by the option's kind, because viper's own decoders turn 007
// into 7. Where viper would merge, lower-case or ignore something, it is an error here: unknown, duplicate and
// differently cased keys, and values that are neither text nor number nor a list of these.
type file struct {
	name     string    // "": there is none
	program  string    // program whose settings are read
	known    []*Option // options of the program
	flat     bool      // the old form, without sections: one list of settings for both programs
	settings []Entry   // settings of the program; in the old form those of the other program too
}

// readFile reads the file of the flag or else DefaultFile, if it exists, and gives viper the program's settings.
func readFile(v *viper.Viper, flag *pflag.Flag, program string, known []*Option) (*file, error) {
	f := &file{name: DefaultFile, program: program, known: known}
	if flag.Changed {
		f.name = flag.Value.String()
	} else if _, err := os.Lstat(f.name); errors.Is(err, fs.ErrNotExist) {
		return &file{}, nil
	}
	if ext, dotted := strings.CutPrefix(filepath.Ext(f.name), "."); !dotted || !slices.Contains(fileEndings(), ext) {
		return nil, fmt.Errorf("config is %.60q, whose ending is none of .%s", f.name, strings.Join(fileEndings(), ", ."))
	}
	data, err := readRegular(f.name)
	if err == nil {
		err = f.decode(data)
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) || errors.Is(err, atomicfile.ErrTooLong) { // it names the file
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	settings := map[string]any{}
	for _, s := range f.settings {
		settings[s.Name] = s.Value
	}
	return f, v.MergeConfigMap(settings)
}

// readRegular reads a regular file of at most maxFile bytes. A pipe is refused before it is opened, since
// opening it would wait for a writer.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("this is not a regular file")
	}
	return atomicfile.Read(name, maxFile)
}

// decode reads the settings of the file's text.
func (f *file) decode(data []byte) error {
	if err := strictjson.CheckKind(data, strictjson.Configuration); err != nil {
		return err
	}
	root, err := rootOf(data)
	if root == nil || err != nil {
		return err
	}
	keys, err := keysOf(root)
	if err != nil {
		return fmt.Errorf("the file %w", err)
	}
	f.flat = !slices.ContainsFunc(keys, func(k key) bool { return settings[k.name] != nil })
	if f.flat {
		return f.decodeFlat(keys)
	}
	for _, k := range keys {
		if settings[k.name] == nil {
			return fmt.Errorf("line %d: %w", k.line, f.outside(k.name))
		}
		if err := f.decodeSection(k); err != nil {
			return err
		}
	}
	return nil
}

// outside returns the error for a key outside the sections.
func (f *file) outside(name string) error {
	if slices.Contains(allSettings(), name) {
		return fmt.Errorf("%s stands outside the sections %s", name, strings.Join(programs(), " and "))
	}
	return fmt.Errorf("unknown key %.40q%s", name, text.DidYouMean(name, slices.Concat(programs(), allSettings())))
}

// decodeSection reads the section of a program. For the other program it checks the names only.
func (f *file) decodeSection(section key) error {
	if section.value.Tag == nullTag {
		return nil
	}
	keys, err := keysOf(section.value)
	if err != nil {
		return fmt.Errorf("line %d: section %s %w", section.line, section.name, err)
	}
	for _, k := range keys {
		if err := f.decodeKey(k, Settings(section.name), section.name == f.program); err != nil {
			return fmt.Errorf("line %d: %w", k.line, err)
		}
	}
	return nil
}

// decodeFlat reads a file without sections.
func (f *file) decodeFlat(keys []key) error {
	for _, k := range keys {
		err := f.decodeKey(k, allSettings(), true)
		if (k.value.Kind == yaml.MappingNode || k.value.Tag == nullTag) && !slices.Contains(allSettings(), k.name) {
			err = f.outside(k.name) // which offers the sections, too
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", k.line, err)
		}
	}
	return nil
}

// decodeKey checks the name of a setting, and keeps the setting where keep is true.
func (f *file) decodeKey(k key, names []string, keep bool) error {
	if !slices.Contains(names, k.name) {
		if keep && slices.ContainsFunc(f.known, func(o *Option) bool { return o.Name == k.name && o.FlagOnly }) {
			return fmt.Errorf("%s is a flag only", k.name)
		}
		return fmt.Errorf("unknown key %.40q%s", k.name, text.DidYouMean(k.name, names))
	}
	text, err := f.textOf(k)
	if err != nil || !keep {
		return err
	}
	f.settings = append(f.settings, Entry{k.name, text, fileOrigin(f.name)})
	return checkAny(f.known, k.name, text)
}

// textOf returns the text of a scalar, or of a list with the option's separator between the elements.
func (f *file) textOf(k key) (string, error) {
	value := k.value
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	switch {
	case value.Tag == nullTag:
		return "", fmt.Errorf("%s has no value", k.name)
	case value.Kind == yaml.ScalarNode:
		return value.Value, nil
	case value.Kind != yaml.SequenceNode:
		return "", fmt.Errorf("%s holds keys of its own; the only sections are %s", k.name, strings.Join(programs(), " and "))
	}
	parts := make([]string, len(value.Content))
	for i, part := range value.Content {
		if part.Kind != yaml.ScalarNode {
			return "", fmt.Errorf("%s is a list of something other than texts", k.name)
		}
		parts[i] = part.Value
	}
	if slices.ContainsFunc(f.known, func(o *Option) bool { return o.Name == k.name && o.repeated }) {
		return strings.Join(parts, separator), nil
	}
	return strings.Join(parts, ","), nil
}

// nullTag marks a missing value.
const nullTag = "!!null"

// rootOf returns the root of the file's only document, nil where the file is empty.
func rootOf(data []byte) (*yaml.Node, error) {
	var first, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	switch err := decoder.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, atTab(data, err)
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file goes on after the end of its document")
	}
	if root := first.Content[0]; root.Tag != nullTag {
		return root, nil
	}
	return nil, nil
}

// atTab returns an error that names the line that is indented with a tab where YAML's error is about that: YAML's names another
// line, or none.
func atTab(data []byte, err error) error {
	if !strings.Contains(err.Error(), "tab character") && !strings.Contains(err.Error(), "cannot start any token") {
		return err
	}
	line := 0
	for text := range bytes.Lines(data) {
		if line++; bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("\t")) {
			return fmt.Errorf("line %d is indented with a tab: YAML takes blanks alone", line)
		}
	}
	return err
}

// key is a line `name: value`.
type key struct {
	name  string
	line  int
	value *yaml.Node
}

// keysOf returns the keys of a mapping. A repeated key is an error. The error continues the name of the mapping.
func keysOf(node *yaml.Node) ([]key, error) {
	if node.Kind != yaml.MappingNode {
		return nil, errors.New("is not a list of `key: value` lines")
	}
	var keys []key
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		k := key{node.Content[i].Value, node.Content[i].Line, node.Content[i+1]}
		if seen[k.name] {
			return nil, fmt.Errorf("has the key %.40q twice, again in line %d", k.name, k.line)
		}
		seen[k.name] = true
		keys = append(keys, k)
	}
	return keys, nil
}

// programs returns the names of the programs that share the file and the environment.
func programs() []string { return slices.Sorted(maps.Keys(settings)) }

// Settings returns the names that files and variables may set for a program.
func Settings(program string) []string { return slices.Clone(settings[program]) }

// allSettings returns the names of the settings of all programs, in order.
func allSettings() []string {
	all := slices.Concat(slices.Collect(maps.Values(settings))...)
	slices.Sort(all)
	return slices.Compact(all)
}
