package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// DefaultFile is read from the working directory when no --config is given.
const DefaultFile = "quintune.yaml"

// maxFile bounds a configuration file, bytes.
const maxFile = 1 << 20

// fileType is how viper knows the decoder below. JSON files are YAML as well.
const fileType = "yaml"

// newViper returns a viper that reads files with the strict decoder.
func newViper() *viper.Viper {
	registry := viper.NewCodecRegistry()
	if err := registry.RegisterCodec(fileType, strictYAML{}); err != nil {
		panic(err)
	}
	v := viper.NewWithOptions(viper.WithCodecRegistry(registry))
	v.AllowEmptyEnv(true)
	return v
}

// strictYAML is a viper codec for flat files. It keeps every value as the text that stands in the
// file, for the option's kind to read: viper's own decoders turn 007 into 7 and "abc" into 0. It
// refuses what viper would merge, lower-case or ignore: unknown, duplicate and differently cased
// keys, and values that are no single text or number.
type strictYAML struct{}

// Decode fills the settings from the file's text.
func (strictYAML) Decode(data []byte, settings map[string]any) error {
	if len(data) > maxFile {
		return fmt.Errorf("the file has %d bytes, outside [0, %d]", len(data), maxFile)
	}
	root, err := rootOf(data)
	if root == nil || err != nil {
		return err
	}
	if root.Kind != yaml.MappingNode {
		return errors.New("the file is no list of `key: value` lines")
	}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if _, twice := settings[key.Value]; twice {
			return fmt.Errorf("line %d: key %s stands there twice", key.Line, key.Value)
		}
		text, err := settingOf(key.Value, value)
		if err != nil {
			return fmt.Errorf("line %d: %w", key.Line, err)
		}
		settings[key.Value] = text
	}
	return nil
}

// rootOf returns the root of the file's only document, nil where the file is empty.
func rootOf(data []byte) (*yaml.Node, error) {
	var first, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	switch err := decoder.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file goes on after the end of its document")
	}
	if root := first.Content[0]; root.Tag != "!!null" {
		return root, nil
	}
	return nil, nil
}

// settingOf returns the text of a key's value when the key is known and some command takes it.
func settingOf(key string, value *yaml.Node) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	text, err := textOf(key, value)
	if err != nil {
		return "", err
	}
	return text, checkAny(key, text)
}

// Encode is never used: no configuration is written.
func (strictYAML) Encode(map[string]any) ([]byte, error) {
	return nil, errors.New("config: files are read only")
}

// checkKey refuses keys that no option of a file has.
func checkKey(key string) error {
	named := func(o Option) bool { return o.Name == key }
	switch {
	case slices.ContainsFunc(shared(), named):
		return nil
	case slices.ContainsFunc(Options(), named):
		return fmt.Errorf("%s is a flag only", key)
	}
	return fmt.Errorf("unknown key %.40q%s", key, suggest(key, shared(), func(o *Option) string { return o.Name }))
}

// checkAny refuses a value that none of the commands with the option takes.
func checkAny(name, text string) (err error) {
	for _, o := range shared() {
		if o.Name != name {
			continue
		}
		if _, err = o.Kind.parse(text); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%s %w", name, err)
}

// shared returns the options that files and variables may set.
func shared() []Option {
	return slices.DeleteFunc(Options(), func(o Option) bool { return o.FlagOnly })
}

// between returns what stands between the texts of an option's list.
func between(key string) string {
	if slices.ContainsFunc(Options(), func(o Option) bool { return o.Name == key && o.Kind.repeated }) {
		return separator
	}
	return ","
}

// textOf returns the text of a scalar, or of a list with commas between.
func textOf(key string, value *yaml.Node) (string, error) {
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	switch {
	case value.Kind == yaml.ScalarNode && value.Tag == "!!null":
		return "", fmt.Errorf("%s has no value", key)
	case value.Kind == yaml.ScalarNode:
		return value.Value, nil
	case value.Kind == yaml.SequenceNode:
		parts := make([]string, len(value.Content))
		for i, part := range value.Content {
			if part.Kind != yaml.ScalarNode {
				return "", fmt.Errorf("%s is a list of something else than texts", key)
			}
			parts[i] = part.Value
		}
		return strings.Join(parts, between(key)), nil
	}
	return "", fmt.Errorf("%s holds keys of its own; there are no sections", key)
}
