// Package strictjson reads JSON that must be exactly what is expected: files, the database, requests of the page.
//
// Member names are case-sensitive, and an error names the member: "provenance.validation.elo is not a number".
package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// options are strict about names, and read durations and byte arrays as encoding/json writes them.
var options = json.JoinOptions(
	json.RejectUnknownMembers(true), jsonv1.FormatDurationAsNano(true), jsonv1.FormatByteArrayAsArray(true),
)

// Decode reads one JSON value. Unknown and duplicate members, values of another type and anything after the value are
// errors. A missing member leaves its field as it is.
func Decode(data []byte, into any) error {
	return explain(data, json.Unmarshal(data, into, options))
}

// DecodeComplete reads one JSON value as Decode does, and also refuses a missing member, unless its tag has omitempty, and
// a null that is not for a pointer.
func DecodeComplete(data []byte, into any) error {
	notNull := json.WithUnmarshalers(json.UnmarshalFromFunc(refuseNull))
	if err := explain(data, json.Unmarshal(data, into, options, notNull)); err != nil {
		return err
	}
	return findMissing(data, reflect.TypeOf(into), "")
}

var errNull = errors.New("null")

// refuseNull fails on a null for anything but a pointer and text that is decoded later.
func refuseNull(d *jsontext.Decoder, into any) error {
	t := reflect.TypeOf(into).Elem()
	if d.PeekKind() == jsontext.Null.Kind() && t.Kind() != reflect.Pointer && t != reflect.TypeFor[jsontext.Value]() {
		if err := d.SkipValue(); err != nil {
			return err
		}
		return &json.SemanticError{GoType: t, Err: errNull}
	}
	return json.SkipFunc
}

// findMissing reports the first tagged field of the type, at any depth, that the decoded value lacks.
func findMissing(value jsontext.Value, t reflect.Type, path string) error {
	switch t.Kind() {
	case reflect.Pointer:
		if value.Kind() != jsontext.Null.Kind() {
			return findMissing(value, t.Elem(), path)
		}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return findMissingElements(value, t.Elem(), path)
		}
	case reflect.Struct:
		return findMissingMembers(value, t, path)
	}
	return nil
}

func findMissingElements(value jsontext.Value, t reflect.Type, path string) error {
	var elements []jsontext.Value
	if err := json.Unmarshal(value, &elements); err != nil {
		return explain(value, err)
	}
	for i, element := range elements {
		if err := findMissing(element, t, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func findMissingMembers(value jsontext.Value, t reflect.Type, path string) error {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(value, &members); err != nil {
		return explain(value, err)
	}
	for field := range t.Fields() {
		name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
		at := strings.TrimPrefix(path+"."+name, ".")
		if member, ok := members[name]; ok {
			if err := findMissing(member, field.Type, at); err != nil {
				return err
			}
		} else if rest != "omitempty" {
			return fmt.Errorf("%s is missing", at)
		}
	}
	return nil
}

// explain turns an error of the decoder into one that names the member and what is wrong with it.
func explain(data []byte, err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntactic):
		return explainSyntax(data, syntactic)
	case errors.As(err, &semantic):
		return explainValue(semantic)
	}
	return err
}

func explainSyntax(data []byte, e *jsontext.SyntacticError) error {
	at := path(e.JSONPointer)
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return errors.New("the JSON begins with a byte order mark: save the file as UTF-8 without it")
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return errors.New("the JSON is UTF-16: save the file as UTF-8")
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return fmt.Errorf("%s occurs twice", at)
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends early")
	}
	line := 1 + bytes.Count(data[:min(e.ByteOffset, int64(len(data)))], []byte("\n"))
	if at == "" {
		return fmt.Errorf("line %d of the JSON: %w", line, e.Err)
	}
	return fmt.Errorf("at %s, line %d: %w", at, line, e.Err)
}

func explainValue(e *json.SemanticError) error {
	at := path(e.JSONPointer)
	if errors.Is(e.Err, json.ErrUnknownName) {
		return fmt.Errorf("unknown key %q%s", at, suggest(e.JSONPointer.LastToken(), e.GoType))
	}
	if at == "" {
		at = "the JSON"
	}
	if wanted := describe(e.GoType); wanted != "" && (e.Err == nil || aboutType(e)) {
		return fmt.Errorf("%s is not %s", at, wanted)
	}
	return fmt.Errorf("%s: %w", at, e.Err)
}

// aboutType reports whether the error is only that the value does not fit the type.
func aboutType(e *json.SemanticError) bool {
	return e.Err == errNull || e.Err == strconv.ErrSyntax || e.Err == strconv.ErrRange || e.GoType.Kind() == reflect.Array
}

// suggest names the member of the struct that differs from the unknown one in case only.
func suggest(unknown string, t reflect.Type) string {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if strings.EqualFold(name, unknown) {
			return fmt.Sprintf(" (did you mean %q?)", name)
		}
	}
	return ""
}

// describe returns the form of the type in JSON, such as "a whole number"; "" where the type decodes itself.
func describe(t reflect.Type) string {
	if t == nil {
		return ""
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		low := int64(-1) << (t.Bits() - 1)
		return fmt.Sprintf("a whole number in [%d, %d]", low, -(low + 1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprintf("a whole number in [0, %d]", ^uint64(0)>>(64-t.Bits()))
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Array:
		return fmt.Sprintf("a list of %d values", t.Len())
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return ""
}

// maxPath bounds how much of a file's names an error repeats, bytes.
const maxPath = 200

// path writes a pointer as people write it: validation.pentanomial[4].
func path(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 31); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteString(".")
		}
		b.WriteString(token)
	}
	text := b.String()
	if len(text) > maxPath {
		text = text[:maxPath] + "..."
	}
	if quoted := strconv.Quote(text); quoted != `"`+text+`"` {
		return quoted
	}
	return text
}
