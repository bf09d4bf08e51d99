package dashboard

import (
	"fmt"
	"math"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/progress"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/text"
)

// Sizes from which on there is room for more.
const (
	leastWidth  = 40 // cells; below, there is a note alone
	leastHeight = 10
	wideWidth   = 130 // charts of the population beside each other
	tallHeight  = 36
)

// frame draws the history on a screen of a size, with a last line of text.
func frame(h *progress.History, width, height int, foot string) string {
	c := newCanvas(max(0, width), max(0, height))
	if width < leastWidth || height < leastHeight {
		c.text(0, 0, width, "too small to show the run", plain)
		return c.String()
	}
	view := h.Since(0)
	c.head(h.Run(), h.Limit(), &view.Now)
	right := c.rightColumn(h, &view)
	left := box{0, 2, right - 2, height - 3}
	if right == width {
		left.width = width
	}
	c.leftColumn(left, h, &view)
	c.text(0, height-1, width, foot, soft)
	return c.String()
}

// head writes what the run is and how far it has come.
func (c *canvas) head(f *run.Summary, limit string, e *run.Event) {
	stage := string(e.Stage)
	switch {
	case e.Stage == run.StageEvolution && e.Phase != "":
		stage += " · " + e.Phase
	case e.Stage == run.StageLabels:
		stage += fmt.Sprintf(" · %s/%s", text.Thousands(e.Labelled), text.Thousands(e.Positions))
	}
	end := c.width - len([]rune(stage)) - 1
	x := c.text(0, 0, end, f.Name, strong)
	c.text(x, 0, end, fmt.Sprintf("  from %s, %s %d×%d, %s", f.Start, f.Rule, f.Size, f.Size, limit), soft)
	c.text(end+1, 0, c.width, stage, good)

	const barWidth = 16
	share := max(0, min(1, float64(e.Games)/float64(max(1, e.Budget))))
	full := int(share * barWidth)
	x = c.text(0, 1, c.width, strings.Repeat("█", full), accent)
	x = c.text(x, 1, c.width, strings.Repeat("░", barWidth-full), soft)
	progress := fmt.Sprintf(" %.0f%%  %s/%s games  gen %d  %.1f games/s  %s left",
		100*share, text.Thousands(e.Games), text.Thousands(e.Budget), e.Generation, e.GamesPerSecond, left(e))
	c.text(x, 1, c.width, progress, plain)
}

// left is the estimated time to the end.
func left(e *run.Event) string {
	if e.Left <= 0 {
		return "–"
	}
	return (time.Duration(math.Round(e.Left)) * time.Second).String()
}

// rightColumn draws the board and the text about the match. It returns the first column of its area, or the
// width where the board does not fit.
func (c *canvas) rightColumn(h *progress.History, v *progress.View) (x int) {
	moves, size := h.Live()
	if size == 0 {
		size = h.Run().Size
	}
	cellWidth := 2
	if 3+cellWidth*size+leastWidth > c.width {
		cellWidth = 1
	}
	boardWidth := 3 + cellWidth*size
	if size+4 > c.height || boardWidth+leastWidth > c.width {
		return c.width
	}
	x = c.width - boardWidth
	c.board(x, 2, size, cellWidth, moves)
	note := "no game yet"
	if n := len(moves); n > 0 {
		note = fmt.Sprintf("game in progress, move %d: %s", n, moves[n-1])
	}
	y := 3 + size
	for _, text := range append([]string{note}, told(v)...) {
		if y >= c.height-1 {
			break
		}
		c.text(x, y, c.width, text, soft)
		y++
	}
	return x
}

// board draws a position with its letters and numbers.
func (c *canvas) board(x, y, size, cellWidth int, moves []board.Cell) {
	for i := range size {
		c.set(x+3+cellWidth*i, y, rune('a'+i), soft)
		c.text(x, y+1+i, x+2, fmt.Sprintf("%2d", i+1), soft)
		for k := range size {
			c.set(x+3+cellWidth*k, y+1+i, '·', soft)
		}
	}
	for n, m := range moves {
		stone, s := '●', plain
		if n%2 == 1 {
			stone = '○'
		}
		if n == len(moves)-1 {
			s = marked
		}
		c.set(x+3+cellWidth*m.X(), y+1+m.Y(), stone, s)
	}
}

// told returns lines about the gate or validation in progress, and about the last games.
func told(v *progress.View) []string {
	var list []string
	e := &v.Now
	if e.Pairs > 0 && (e.Stage == run.StageGate || e.Stage == run.StageValidation) {
		list = append(list, fmt.Sprintf("%s %s%s", e.Stage, text.Interval(e.Judged.Elo, e.Judged.Low, e.Judged.High), against(e.Opponent)), fmt.Sprintf("%d of at most %d pairs", e.Pairs, e.Most))
	}
	if e.Pairs > 0 && e.Stage == run.StageGate {
		list = append(list, fmt.Sprintf("LLR %s of [%.2f, %.2f]", text.Hundredths(e.LLR), e.Lower, e.Upper))
	}
	for i := len(v.Games) - 1; i >= 0; i-- {
		g := &v.Games[i]
		list = append(list, fmt.Sprintf("%s – %s", g.Black, g.White), "  "+g.Outcome)
	}
	return list
}

// against returns "against" with the name of the opponent, to stand behind a figure; "" without an opponent.
func against(opponent string) string {
	if opponent == "" {
		return ""
	}
	return " against " + opponent
}

// leftColumn draws the curves and the weights, from the top, and the cluster at the bottom.
func (c *canvas) leftColumn(b box, h *progress.History, v *progress.View) {
	if s := h.Cluster(); s != nil {
		rows := clusterHeight(s, b.height)
		c.cluster(box{b.x, b.y + b.height - rows, b.width, rows}, s)
		b.height -= rows + 1
	}
	tall := b.height > tallHeight
	curve := box{b.x, b.y + 1, b.width, max(4, b.height*2/5)}
	x := c.text(b.x, b.y, b.x+b.width, "Against the start ", strong)
	if e := &v.Now; e.AgainstPairs >= stats.FewestPairs {
		x = c.text(x, b.y, b.x+b.width, text.Interval(e.Against.Elo, e.Against.Low, e.Against.High), accent)
		c.text(x, b.y, b.x+b.width, fmt.Sprintf(" Elo, %d pairs", e.AgainstPairs), soft)
	}
	c.chart(curve, []line{eloLine(v.Curve)}, text.Signed)
	y := curve.y + curve.height
	best, mean, spread := populationLines(v.Generations)
	if tall {
		height := b.height / 4
		c.populationCharts(box{b.x, y + 1, b.width, height}, best, mean, spread)
		y += height + 2
	} else {
		for _, s := range []struct {
			name   string
			line   line
			format func(float64) string
		}{{"best", best, text.Signed}, {"mean", mean, text.Signed}, {"spread", spread, threeDigits}} {
			c.spark(box{b.x, y, b.width, 1}, s.name, s.line, s.format)
			y++
		}
	}
	c.changes(box{b.x, y, b.width, b.y + b.height - y}, h.Changes())
}

func threeDigits(v float64) string { return fmt.Sprintf("%.3f", v) }

// eloLine begins at the start itself, which is 0 by definition.
func eloLine(points []run.Point) line {
	l := line{style: accent}
	if len(points) > 0 {
		l.samples = append(l.samples, sample{})
	}
	for _, p := range points {
		if n := len(l.samples); l.samples[n-1].x < float64(p.Games) {
			l.samples = append(l.samples, sample{float64(p.Games), p.Elo, p.Low, p.High})
		}
	}
	return l
}

// populationLines returns the best and the mean Elo and the spread by games.
func populationLines(generations []run.Generation) (best, mean, spread line) {
	best.style, mean.style, spread.style = accent, warm, accent
	add := func(l *line, games int, y float64) {
		l.samples = append(l.samples, sample{float64(games), y, y, y})
	}
	for _, g := range generations {
		if g.Rated() {
			add(&best, g.Games, g.Best)
			add(&mean, g.Games, g.Mean)
		}
		add(&spread, g.Games, g.Spread)
	}
	return best, mean, spread
}

// populationCharts draws best against mean, and the spread, beside each other where there is room.
func (c *canvas) populationCharts(b box, best, mean, spread line) {
	half := b.width
	if b.width >= wideWidth {
		half = b.width/2 - 2
		x := b.x + half + 4
		c.text(x, b.y, b.x+b.width, "Population spread "+last(spread, threeDigits), strong)
		c.chart(box{x, b.y + 1, half, b.height - 1}, []line{spread}, threeDigits)
	}
	x := c.text(b.x, b.y, b.x+half, "Best "+last(best, text.Signed), accent)
	c.text(x, b.y, b.x+half, "  mean "+last(mean, text.Signed), warm)
	c.chart(box{b.x, b.y + 1, half, b.height - 1}, []line{best, mean}, text.Signed)
}

// last writes the last value of a line.
func last(l line, format func(float64) string) string {
	if len(l.samples) == 0 {
		return "–"
	}
	return format(l.samples[len(l.samples)-1].y)
}

// spark draws a line into one row: name, value, and eight heights.
func (c *canvas) spark(b box, name string, l line, format func(float64) string) {
	c.text(b.x, b.y, b.x+labelWidth, name, strong)
	c.text(b.x+labelWidth+1, b.y, b.x+2*labelWidth+1, last(l, format), l.style)
	const begin = 2*labelWidth + 2
	if len(l.samples) < 2 {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range l.samples {
		low, high = min(low, p.y), max(high, p.y)
	}
	heights := []rune("▁▂▃▄▅▆▇█")
	width := b.width - begin
	for x := range width {
		p := l.samples[x*len(l.samples)/width]
		level := (p.y - low) / max(1e-9, high-low) * float64(len(heights)-1)
		c.set(b.x+begin+x, b.y, heights[int(math.Round(level))], l.style)
	}
}

// changeWidth is the width of one weight in the list of changes.
const changeWidth = 46

// changes lists the largest changes of weights, in columns.
func (c *canvas) changes(b box, list []run.Value) {
	if b.height < 2 {
		return
	}
	c.text(b.x, b.y, b.x+b.width, "Largest weight changes", strong)
	columns, rows := max(1, b.width/changeWidth), b.height-1
	for i, change := range list {
		if i >= columns*rows {
			break
		}
		x, y := b.x+i/rows*changeWidth, b.y+1+i%rows
		end := min(x+changeWidth-2, b.x+b.width)
		figure := fmt.Sprintf("%.6g→%.6g", change.Start, change.Now)
		if factor, ok := change.Factor(); ok {
			figure += fmt.Sprintf(" ×%.2f", factor)
		}
		at := end - len([]rune(figure))
		c.text(x, y, at-1, change.Name, plain)
		c.text(at, y, end, figure, accent)
	}
}
