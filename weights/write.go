package weights

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Format is the value of "format" in every weights file.
const Format = "quintune.weights/1"

// Marshal returns the weights file of the set: every weight on a line in the order of the
// declaration, and a newline at the end. Equal sets give equal bytes. A set that Check refuses is
// an error.
func Marshal(s *Set) ([]byte, error) { return current.marshal(s) }

func (sc *schema) marshal(s *Set) ([]byte, error) {
	if err := sc.check(s); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"format\": %s,\n  \"schema\": %s,\n", jsonText(Format), jsonText(sc.fingerprint))
	fmt.Fprintf(&b, "  \"name\": %s, \"rule\": %s, \"size\": %d,\n  \"weights\": {\n", jsonText(s.Name), jsonText(s.Rule.String()), s.Size)
	for i, d := range sc.decls {
		fmt.Fprintf(&b, "    %s: %d%s\n", jsonText(d.Name), s.Values[i], comma(i, len(sc.decls)))
	}
	b.WriteString("  },\n  \"provenance\": ")
	if s.Provenance == nil {
		b.WriteString("null")
	} else {
		writeObject(&b, 1, s.Provenance.fields())
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

func writeObject(b *bytes.Buffer, depth int, fields []field) {
	indent := strings.Repeat("  ", depth)
	b.WriteString("{\n")
	fields = slices.DeleteFunc(fields, func(f field) bool {
		list, ok := f.value.(*[]Validation)
		return ok && len(*list) == 0
	})
	for i, f := range fields {
		fmt.Fprintf(b, "%s  %s: ", indent, jsonText(f.key))
		writeValue(b, depth+1, f.value)
		b.WriteString(comma(i, len(fields)) + "\n")
	}
	b.WriteString(indent + "}")
}

func writeValue(b *bytes.Buffer, depth int, value any) {
	switch v := value.(type) {
	case *string:
		b.WriteString(jsonText(*v))
	case *bool:
		fmt.Fprintf(b, "%t", *v)
	case *uint64:
		fmt.Fprintf(b, "%d", *v)
	case *int64:
		fmt.Fprintf(b, "%d", *v)
	case *float64:
		b.WriteString(strconv.FormatFloat(twoDecimals(*v), 'f', 2, 64))
	case *[5]int64:
		fmt.Fprintf(b, "[%d, %d, %d, %d, %d]", v[0], v[1], v[2], v[3], v[4])
	case **Validation:
		if *v == nil {
			b.WriteString("null")
		} else {
			writeObject(b, depth, (*v).fields())
		}
	case *[]Validation:
		b.WriteString("[")
		for i := range *v {
			writeObject(b, depth, (*v)[i].fields())
			if i < len(*v)-1 {
				b.WriteString(", ")
			}
		}
		b.WriteString("]")
	default:
		panic(fmt.Sprintf("weights: a field of type %T cannot be written", value))
	}
}

// jsonText quotes a checked text; < > & stay as they are.
func jsonText(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}
