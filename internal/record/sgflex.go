package record

import (
	"fmt"
	"strings"
)

// sgfProperty is one property of a node: B[hh].
type sgfProperty struct {
	name   string   // capitals alone, as FF[3] allows small letters between them
	values []string // at least one, unescaped
	line   int      // of the file, from 1
}

// sgfLexer cuts the text of a collection into marks and properties.
type sgfLexer struct {
	text string
	at   int // index of the next byte
	line int // line of that byte, from 1
}

func (l *sgfLexer) done() bool { return l.at >= len(l.text) }

// peek returns the next byte, 0 at the end.
func (l *sgfLexer) peek() byte {
	if l.done() {
		return 0
	}
	return l.text[l.at]
}

// take returns the next byte and goes on. It must not be called at the end.
func (l *sgfLexer) take() byte {
	c := l.text[l.at]
	if c == '\n' {
		l.line++
	}
	l.at++
	return c
}

func (l *sgfLexer) skipBlanks() {
	for !l.done() && strings.IndexByte(" \t\r\n\v\f", l.text[l.at]) >= 0 {
		l.take()
	}
}

// fail returns an error at the current line.
func (l *sgfLexer) fail(format string, args ...any) error {
	return atLine(l.line, fmt.Errorf(format, args...))
}

// found names what comes next, for errors.
func (l *sgfLexer) found() string {
	if l.done() {
		return "the end of the file stands"
	}
	return fmt.Sprintf("%.12q stands", l.text[l.at:])
}

// node reads the properties of a node.
func (l *sgfLexer) node() ([]sgfProperty, error) {
	var node []sgfProperty
	for {
		l.skipBlanks()
		if !letter(l.peek()) {
			return node, nil
		}
		p, err := l.property()
		if err != nil {
			return nil, err
		}
		for _, other := range node {
			if other.name == p.name {
				return nil, atLine(p.line, fmt.Errorf("%s comes twice in a node", p.name))
			}
		}
		if len(node) == maxProperties {
			return nil, atLine(p.line, fmt.Errorf("a node has more than %d properties", maxProperties))
		}
		node = append(node, p)
	}
}

// maxProperties bounds a node.
const maxProperties = 100

func letter(c byte) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

func (l *sgfLexer) property() (sgfProperty, error) {
	p := sgfProperty{line: l.line}
	start := l.at
	for letter(l.peek()) {
		l.take()
	}
	p.name = strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, l.text[start:l.at])
	if p.name == "" {
		return p, l.fail("the property %.12q has no capital letter", l.text[start:l.at])
	}
	for l.skipBlanks(); l.peek() == '['; l.skipBlanks() {
		value, err := l.value(p.name)
		if err != nil {
			return p, err
		}
		p.values = append(p.values, value)
	}
	if len(p.values) == 0 {
		return p, l.fail("%.12s has no value: %s where [ is wanted", p.name, l.found())
	}
	return p, nil
}

// value reads [ … ]. A backslash takes the next byte as it is; before the end of a line it joins
// the lines.
func (l *sgfLexer) value(of string) (string, error) {
	begin := l.line
	l.take()
	var text strings.Builder
	for !l.done() {
		switch c := l.take(); c {
		case ']':
			return text.String(), nil
		case '\\':
			if l.peek() == '\r' {
				l.take()
			}
			if l.done() {
				continue
			}
			if c := l.take(); c != '\n' {
				text.WriteByte(c)
			}
		default:
			text.WriteByte(c)
		}
	}
	return "", atLine(begin, fmt.Errorf("the value of %.12s is not ended by ]", of))
}
