package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"quintune/internal/run"
	"quintune/internal/text"
)

//go:embed report.html
var page string

//go:embed report.css
var looks string

// WriteHTML writes the report as one file, which loads nothing: pictures and style are in it. Equal runs
// give equal bytes.
func (r *Run) WriteHTML(w io.Writer) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"thousands": text.Thousands[int], "plural": text.Plural[int], "signed": text.Signed,
		"gate": gateWords, "change": change, "share": share, "validation": validationWords, "code": code,
	}).Parse(page)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	groups, listed := r.groups(), 0
	for _, g := range groups {
		listed += len(g.Weights)
	}
	figures, err := r.figures()
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{
		"Run": r, "Figures": figures, "Ablations": r.ablations(), "GroupCosts": r.groupCosts(), "Groups": groups, "Listed": listed, "Changed": len(r.changed()), "Looks": template.CSS(looks),
	})
}

// code returns a text as markup: what stands between backticks is code. A last backtick without its partner stays.
func code(words string) template.HTML {
	parts := strings.Split(words, "`")
	var b strings.Builder
	for i, part := range parts {
		part = template.HTMLEscapeString(part)
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case i == len(parts)-1:
			b.WriteString("`" + part)
		default:
			b.WriteString("<code>" + part + "</code>")
		}
	}
	return template.HTML(b.String())
}

// figure is a picture in the page.
type figure struct {
	Picture
	SVG template.HTML // gonum's: text in it is escaped
}

func (r *Run) figures() ([]figure, error) {
	var list []figure
	for _, p := range r.Pictures() {
		svg, err := p.Render("svg")
		if err != nil {
			return nil, err
		}
		begin := bytes.Index(svg, []byte("<svg")) // what comes before belongs to a file of its own
		list = append(list, figure{p, template.HTML(svg[max(0, begin):])})
	}
	return list, nil
}

// group is the weights of one group.
type group struct {
	Name    string
	Weights []*run.Value
	Changed int
}

// groups returns the weights by group, in the order of their declaration.
func (r *Run) groups() []*group {
	var list []*group
	for i := range r.Weights {
		w := &r.Weights[i]
		if w.Idle {
			continue
		}
		k := slices.IndexFunc(list, func(g *group) bool { return g.Name == w.Group })
		if k < 0 {
			k = len(list)
			list = append(list, &group{Name: w.Group})
		}
		list[k].Weights = append(list[k].Weights, w)
		if w.Start != w.Now {
			list[k].Changed++
		}
	}
	return list
}

// share is where a change stands on a scale from a quarter to four times the start, percent from
// the left; 50 means no change.
func share(w *run.Value) int {
	d := w.Distance()
	if w.Now < w.Start {
		d = -d
	}
	return int(50 + 25*max(-2, min(2, d)))
}
