package dashboard

import (
	"cmp"
	"math"
	"slices"

	"quintune/internal/text"
)

// box is a part of the screen, in cells.
type box struct{ x, y, width, height int }

// sample is a value of a line, perhaps with an interval.
type sample struct {
	x, y      float64
	low, high float64 // equal to y where there is none
}

// line is a curve; x is ascending.
type line struct {
	samples []sample
	style   style
}

// labelWidth is the width of the column for the labels of values.
const labelWidth = 6

// chart draws lines with their intervals into a box: labels at the left, the range of x below. Each cell has two
// by four dots of Braille. The value zero is always included.
func (c *canvas) chart(b box, lines []line, format func(float64) string) {
	plot := box{b.x + labelWidth + 1, b.y, b.width - labelWidth - 1, b.height - 1}
	lines = slices.DeleteFunc(lines, func(l line) bool { return len(l.samples) == 0 })
	if plot.width < 4 || plot.height < 2 {
		return
	}
	if len(lines) == 0 {
		c.text(plot.x, b.y+plot.height/2, b.x+b.width, "nothing yet", soft)
		return
	}
	s := scaleOf(plot, lines)
	for row := range plot.height {
		c.set(plot.x-1, plot.y+row, '│', soft)
	}
	c.label(b, plot.y, format(s.high))
	c.label(b, plot.y+plot.height-1, format(s.low))
	if zero := s.row(0); zero >= 0 && zero < 4*plot.height {
		for x := range plot.width {
			c.set(plot.x+x, plot.y+zero/4, '┄', soft)
		}
		if row := zero / 4; row > 0 && row < plot.height-1 {
			c.label(b, plot.y+row, format(0))
		}
	}
	for _, l := range lines {
		c.band(plot, s, l)
	}
	for _, l := range lines {
		c.dots(plot, s, l)
	}
	bottom := b.y + b.height - 1
	c.text(plot.x, bottom, b.x+b.width, "0", soft)
	last := text.Thousands(int(s.last)) + " games"
	c.text(b.x+b.width-len(last), bottom, b.x+b.width, last, soft)
}

// label writes a value left of a chart.
func (c *canvas) label(b box, y int, text string) {
	c.text(b.x+max(0, labelWidth-len([]rune(text))), y, b.x+labelWidth, text, soft)
}

// scale maps values to dots.
type scale struct {
	low, high, last float64
	wide, tall      int // dots
}

func scaleOf(plot box, lines []line) scale {
	s := scale{wide: 2 * plot.width, tall: 4 * plot.height, last: 1}
	for _, l := range lines {
		for _, p := range l.samples {
			s.low, s.high = min(s.low, p.y, p.low), max(s.high, p.y, p.high)
			s.last = max(s.last, p.x)
		}
	}
	if s.high-s.low < 1e-9 {
		s.high = s.low + 1
	}
	return s
}

// row returns the row of dots of a value, from the top.
func (s scale) row(y float64) int {
	return int(math.Round((s.high - y) / (s.high - s.low) * float64(s.tall-1)))
}

// at returns the line's value at a column of dots, interpolated between samples; false outside of the line.
func (s scale) at(l line, column int) (sample, bool) {
	x := float64(column) / float64(s.wide-1) * s.last
	i, found := slices.BinarySearchFunc(l.samples, x, func(p sample, x float64) int { return cmp.Compare(p.x, x) })
	if found {
		return l.samples[i], true
	}
	if i == 0 || i == len(l.samples) {
		return sample{}, false
	}
	a, b := l.samples[i-1], l.samples[i]
	t := (x - a.x) / (b.x - a.x)
	between := func(from, to float64) float64 { return from + t*(to-from) }
	return sample{x, between(a.y, b.y), between(a.low, b.low), between(a.high, b.high)}, true
}

// band shades the intervals of a line.
func (c *canvas) band(plot box, s scale, l line) {
	for x := range plot.width {
		p, ok := s.at(l, 2*x)
		if !ok || p.low == p.high {
			continue
		}
		for row := s.row(p.high) / 4; row <= s.row(p.low)/4; row++ {
			c.set(plot.x+x, plot.y+row, '░', soft)
		}
	}
}

// dots draws a line in Braille: one dot for each column, with dots that connect it to the next.
func (c *canvas) dots(plot box, s scale, l line) {
	bits := map[[2]int]rune{}
	last := -1
	for column := range s.wide {
		p, ok := s.at(l, column)
		if !ok {
			continue
		}
		row := s.row(p.y)
		if last < 0 {
			last = row
		}
		for r := min(row, last); r <= max(row, last); r++ {
			bits[[2]int{column / 2, r / 4}] |= brailleDot(column%2, r%4)
		}
		last = row
	}
	for at, dots := range bits { // each cell is written once, so the order does not matter
		c.set(plot.x+at[0], plot.y+at[1], 0x2800+dots, l.style)
	}
}

// brailleDot returns the bit of a dot in Unicode's block of Braille patterns.
func brailleDot(column, row int) rune {
	if row == 3 {
		return 0x40 << column
	}
	return 1 << (row + 3*column)
}
