package dashboard

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// style is a way to show text. Without colours accent and warm look like plain, and good like strong.
type style uint8

const (
	plain style = iota
	soft
	strong
	accent
	warm
	good
	marked // the last move
	numStyles
)

// styles returns how each style looks, in the terminal's own colours.
func styles() [numStyles]lipgloss.Style {
	s := lipgloss.NewStyle
	return [numStyles]lipgloss.Style{
		plain:  s(),
		soft:   s().Faint(true),
		strong: s().Bold(true),
		accent: s().Foreground(lipgloss.Cyan),
		warm:   s().Foreground(lipgloss.Yellow),
		good:   s().Foreground(lipgloss.Green).Bold(true),
		marked: s().Reverse(true).Bold(true),
	}
}

// cell is one place on the screen.
type cell struct {
	text  rune // 0: covered by the wide character before it
	style style
}

// canvas is a screen to draw on. What does not fit is cut off.
type canvas struct {
	width, height int
	cells         [][]cell // [row][column]
}

func newCanvas(width, height int) *canvas {
	c := &canvas{width, height, make([][]cell, height)}
	for y := range c.cells {
		c.cells[y] = make([]cell, width)
		for x := range c.cells[y] {
			c.cells[y][x].text = ' '
		}
	}
	return c
}

// set writes one character that is one cell wide.
func (c *canvas) set(x, y int, r rune, s style) {
	if x >= 0 && x < c.width && y >= 0 && y < c.height {
		c.cells[y][x] = cell{r, s}
	}
}

// text writes from a place to the right, at most to the column before end, and returns the next column.
func (c *canvas) text(x, y, end int, text string, s style) int {
	for _, r := range text {
		wide := lipgloss.Width(string(r))
		if wide < 1 {
			continue
		}
		if x+wide > min(end, c.width) {
			break
		}
		c.set(x, y, r, s)
		for k := 1; k < wide; k++ {
			c.set(x+k, y, 0, s)
		}
		x += wide
	}
	return x
}

// String returns the screen with control sequences for the styles.
func (c *canvas) String() string {
	var all strings.Builder
	look := styles()
	for y, row := range c.cells {
		if y > 0 {
			all.WriteByte('\n')
		}
		for x := 0; x < len(row); {
			var run strings.Builder
			s := row[x].style
			for ; x < len(row) && row[x].style == s; x++ {
				if row[x].text != 0 {
					run.WriteRune(row[x].text)
				}
			}
			if s == plain {
				all.WriteString(run.String())
			} else {
				all.WriteString(look[s].Render(run.String()))
			}
		}
	}
	return all.String()
}
