package guard

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// Sizes of a QR code in the terminal, in modules.
const (
	quietZone = 4  // light modules on each side, as ISO/IEC 18004 requires
	maxCode   = 80 // columns of a narrow terminal
)

// Text returns the addresses of the page for people: the links for other machines and the address for this one.
// At a terminal the first link is followed by a QR code for the camera of a phone.
func (s *Site) Text(terminal bool) string {
	text := s.TextOfLinks()
	if terminal {
		text += s.Code()
	}
	return text + fmt.Sprintf("The page is at %s\nCtrl-C ends it.\n", s.URL())
}

// TextOfLinks returns the links for other machines for people. They hold the token, so that they do not belong in a log.
func (s *Site) TextOfLinks() string {
	var b strings.Builder
	for _, link := range s.Links() {
		fmt.Fprintf(&b, "From other machines: %s\n", link)
	}
	return b.String()
}

// Code returns the first link for other machines as a QR code for a terminal. It is "" where there is no such link, and where
// the code is wider than a narrow terminal.
func (s *Site) Code() string {
	links := s.Links()
	if len(links) == 0 {
		return ""
	}
	code, err := qr.Encode(links[0], qr.L)
	if err != nil || code.Size+2*quietZone > maxCode {
		return ""
	}
	return drawCode(code)
}

// drawCode draws a code with two modules in a character, dark on light whatever the colours of the terminal are.
func drawCode(code *qr.Code) string {
	var b strings.Builder
	for y := -quietZone; y < code.Size+quietZone; y += 2 {
		b.WriteString("\x1b[97;40m")
		for x := -quietZone; x < code.Size+quietZone; x++ {
			upper, lower := code.Black(x, y), code.Black(x, y+1) || y+1 == code.Size+quietZone
			switch {
			case upper && lower:
				b.WriteByte(' ')
			case upper:
				b.WriteString("▄")
			case lower:
				b.WriteString("▀")
			default:
				b.WriteString("█")
			}
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String()
}
