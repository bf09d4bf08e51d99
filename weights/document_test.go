package weights

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"quintune/pattern"
)

const documentHead = `# The weights

This page is generated from the declaration in ` + "`weights/declare.go`" + ` by ` + "`go test ./weights -update`" + `; a test fails when it is stale.

Every tunable number of Quintune is declared once, in one line. The evaluator's tables, the weight files, the genome,
the groups of ` + "`tune --only`" + ` and this page follow from it. Values are integers. A file holds every weight, within its bounds.
The order of the classes (column *above*) binds genomes, not files: any file within the bounds plays.

Schema %d, fingerprint ` + "`%s`" + `.

**Scales.** A gene lies in [−1, 1] and codes its weight around the reference.

* *log*: ln(w/reference)/ln 8. The weight is here its increment over the class *above* which it stays. An increment's reference is the difference of
  both references, 10 at least.
* *signed*: asinh(w/reference)/asinh(max/reference), so that gene 0 is weight 0.
* *linear*: the distance from the reference over that to the farther bound, or over eight references where these are less.
* *fixed*: never tuned.

Multiplying a whole family changes no comparison of its scores with each other; against the margins of the search play changes a little. So the *anchor* fixes
the scale of its family: its increment stays at the reference where all groups of the family are tuned. A set that is brought into the genome is first multiplied so that its anchor fits, if a factor between 1/8 and 8 does it. What the order of the
classes still changes is reported.

**Renju.** Its Black plays with separate tables, the groups ` + "`black_…`" + `. White, and both sides under every other rule, play with the
tables without that prefix. In a set for another rule, or in a file of schema 1, Black's weights mirror the others and are not genes.

`

// TestDocumentIsFresh compares docs/weights.md with what the declaration generates.
func TestDocumentIsFresh(t *testing.T) {
	const path = "../docs/weights.md"
	want := document(t)
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: go test ./weights -update", path)
	}
}

func document(t *testing.T) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, documentHead, SchemaNumber(), Fingerprint())
	for _, g := range Groups() {
		writeGroup(&b, g)
	}
	b.WriteString("## Presets\n\nIn the presets that have a section below line and order weights are the same, cell, tempo and pair weights are zero, and search weights are the references but for `huang-search`. " +
		"Where the greatest weight below five would exceed 16 000 the table is scaled down to it. `default`, `freestyle20`, `standard15`, `standard20`, `renju15` and `renju20` came out of runs for these boards, `former15`, `former20`, `former-standard20` and `former-renju20` are the `default`, the `freestyle20`, the `standard20` and the `renju20` before, `former` the `default` before `former15` ([how](results/default.md)).\n\n")
	for _, p := range presets() {
		writeMapping(&b, t, &p)
	}
	writeValues(&b, t)
	return b.Bytes()
}

func writeGroup(b *bytes.Buffer, g Group) {
	fmt.Fprintf(b, "## %s\n\n%s. ", g.Name, strings.ToUpper(g.Doc[:1])+g.Doc[1:])
	fmt.Fprintf(b, "Part of the default genome%s", map[bool]string{true: " of renju"}[g.Renju])
	if g.Family != "" {
		fmt.Fprintf(b, "; family %s", g.Family)
	}
	b.WriteString(".")
	if g.Fitted {
		b.WriteString(" The fit learns them. `ga` and `spsa` leave them as they are, unless nothing else is tuned.")
	}
	if deep := deepNames(g); len(deep) > 0 {
		fmt.Fprintf(b, " A run that tunes other groups too leaves %s as they are where a move has fewer than 10 000 nodes: what such games say of them does not hold at more.", strings.Join(deep, ", "))
	}
	b.WriteString("\n\n")
	writeRow(b, "name", "bounds", "scale", "reference", "above", "meaning")
	writeRow(b, "---", "---", "---", "---:", "---", "---")
	for _, d := range Declarations() {
		if d.Group != g.Name {
			continue
		}
		scale := d.Scale.String()
		if !d.Gene {
			scale = "fixed"
		}
		if d.Anchor {
			scale += ", anchor"
		}
		above := ""
		if d.Above != "" {
			above = "`" + d.Above + "`"
		}
		writeRow(b, "`"+d.Name+"`", fmt.Sprintf("[%d, %d]", d.Min, d.Max), scale, fmt.Sprint(d.Ref), above, d.Doc)
	}
	b.WriteString("\n")
}

// deepNames returns the names of the group's weights about which games of few nodes mislead.
func deepNames(g Group) (names []string) {
	for _, d := range Declarations() {
		if d.Group == g.Name && d.Deep {
			names = append(names, "`"+d.Name+"`")
		}
	}
	return names
}

func writeMapping(b *bytes.Buffer, t *testing.T, p *preset) {
	fmt.Fprintf(b, "### %s\n\n%s\n\n", p.name, p.source)
	if p.search != "" {
		return
	}
	writeRow(b, "class", "from", "author's self", "author's opponent", "weight self", "weight opponent")
	writeRow(b, "---", "---", "---:", "---:", "---:", "---:")
	line := mustPreset(t, p.name).Line()
	for _, row := range p.rows {
		v := line[row.class]
		writeRow(b, row.class.String(), row.shape, points(row.score[Self]), points(row.score[Opponent]),
			fmt.Sprint(v[Self]), fmt.Sprint(v[Opponent]))
	}
	b.WriteString("\n")
}

func writeValues(b *bytes.Buffer, t *testing.T) {
	b.WriteString("### All values\n\nCell, tempo and pair weights are left out where every preset has zero. So are all weights of renju's Black, which mirror the others but in `renju15`, `renju20` and `former-renju20`.\n\n")
	sets := []*Set{}
	header, rule := []string{"name"}, []string{"---"}
	for _, name := range PresetNames() {
		set, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
		header, rule = append(header, name), append(rule, "---:")
	}
	writeRow(b, header...)
	writeRow(b, rule...)
	for i, d := range Declarations() {
		row, zero := []string{"`" + d.Name + "`"}, true
		for _, s := range sets {
			row = append(row, fmt.Sprint(s.Values[i]))
			zero = zero && s.Values[i] == 0
		}
		if d.Counts(pattern.Freestyle) && (!zero || d.Scale != Signed) {
			writeRow(b, row...)
		}
	}
}

func points(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func writeRow(b *bytes.Buffer, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// TestDrawingsHaveTheirClass classifies the drawings of line classes in the documentation.
func TestDrawingsHaveTheirClass(t *testing.T) {
	if len(lineRows) != pattern.NumLines || len(cellRows) != pattern.NumCells-2 {
		t.Errorf("%d line and %d cell classes are declared", len(lineRows), len(cellRows))
	}
	for i, row := range lineRows {
		if int(row.class) != i {
			t.Errorf("row %d declares %s, want %s", i, row.class, pattern.LineClass(i))
		}
		parts := strings.Split(row.doc, "`")
		if row.class == pattern.Overline {
			continue // freestyle has no such class
		}
		if len(parts) != 3 {
			t.Errorf("%s: %q has no drawing", row.class, row.doc)
		} else if got := classifyDrawing(parts[1]); got != row.class {
			t.Errorf("%s is drawn as %s, which is %s", row.class, parts[1], got)
		}
	}
}

func classifyDrawing(drawn string) pattern.LineClass {
	reach := pattern.Free.Reach()
	line := make([]pattern.Square, 2*reach+1)
	for i := range line {
		line[i] = pattern.Opponent // cells beyond the edge
		if at := strings.IndexByte(drawn, '.') - reach + i; at >= 0 && at < len(drawn) {
			line[i] = map[byte]pattern.Square{'O': pattern.Own, '.': pattern.Own, 'X': pattern.Opponent, '_': pattern.Empty}[drawn[at]]
		}
	}
	return pattern.Classify(pattern.Free, line)
}
