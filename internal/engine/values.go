package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Value is one parameter's number.
type Value struct {
	Name   string
	Number float64
}

// Values are the numbers of an engine's parameters, in the order of its file. In JSON they are an object, name to number.
type Values []Value

// Equal reports whether both hold the same numbers under the same names in the same order.
func (v Values) Equal(other Values) bool { return slices.Equal(v, other) }

// Hash returns a hash of names and numbers, 16 hexadecimal digits.
func (v Values) Hash() string {
	sum := sha256.Sum256(v.json())
	return hex.EncodeToString(sum[:8])
}

// Get returns the number of a name.
func (v Values) Get(name string) (number float64, ok bool) {
	i := slices.IndexFunc(v, func(value Value) bool { return value.Name == name })
	if i < 0 {
		return 0, false
	}
	return v[i].Number, true
}

// Numbers returns the numbers in their order.
func (v Values) Numbers() []float64 {
	list := make([]float64, len(v))
	for i := range v {
		list[i] = v[i].Number
	}
	return list
}

// MarshalJSON writes the object in order.
func (v Values) MarshalJSON() ([]byte, error) { return v.json(), nil }

func (v Values) json() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, value := range v {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(value.Name)) // a name is printable ASCII, see checkSpelling
		b.WriteByte(':')
		b.WriteString(strconv.FormatFloat(value.Number, 'f', -1, 64))
	}
	b.WriteByte('}')
	return b.Bytes()
}

var errObject = errors.New("engine: values are not a JSON object of numbers")

// UnmarshalJSON reads an object of numbers in its order; doubled names are errors.
func (v *Values) UnmarshalJSON(data []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return errObject
	}
	var read Values
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return fmt.Errorf("engine: values: %w", err)
		}
		text := name.String() // before the next call, which ends the token
		value, err := decoder.ReadToken()
		if err != nil {
			return fmt.Errorf("engine: values: %w", err)
		}
		if value.Kind() != '0' {
			return fmt.Errorf("engine: value %.60q is not a number", text)
		}
		read = append(read, Value{text, value.Float()})
	}
	*v = read
	return nil
}

// Start returns the start values.
func (f *File) Start() Values {
	values := make(Values, len(f.Parameters))
	for i := range f.Parameters {
		values[i] = Value{f.Parameters[i].Name, f.Parameters[i].Start}
	}
	return values
}

// Bounds returns the lowest and the highest values of all parameters.
func (f *File) Bounds() (lowest, highest Values) {
	lowest, highest = f.Start(), f.Start()
	for i := range f.Parameters {
		lowest[i].Number, highest[i].Number = f.Parameters[i].Min, f.Parameters[i].Max
	}
	return lowest, highest
}

// Check reports whether the values are those of the file's parameters, in order and within bounds.
func (f *File) Check(values Values) error {
	if err := f.check(values); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	return nil
}

// check is Check for messages that name the package already.
func (f *File) check(values Values) error {
	for _, v := range values {
		if f.parameter(v.Name) == nil {
			return fmt.Errorf("value %.60q is not a parameter of %s", v.Name, f.Path)
		}
	}
	for i := range f.Parameters {
		p := &f.Parameters[i]
		v, ok := values.Get(p.Name)
		if !ok {
			return fmt.Errorf("the value of %s is missing", p.Name)
		}
		if err := p.Check(v); err != nil {
			return err
		}
	}
	if len(values) != len(f.Parameters) {
		return errors.New("a value is given twice")
	}
	for i := range f.Parameters {
		if values[i].Name != f.Parameters[i].Name {
			return fmt.Errorf("value %d is %s, not %s", i+1, values[i].Name, f.Parameters[i].Name)
		}
	}
	return nil
}

// parameter returns the parameter with the name, nil where there is none.
func (f *File) parameter(name string) *Parameter {
	i := slices.IndexFunc(f.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &f.Parameters[i]
}
