package text

import "testing"

func TestTable(t *testing.T) {
	got := Table([][]string{{"name", "Elo", "note"}, {"ä", "+12", ""}, {"重み", "0", "y"}, {"longer", "-3", "x"}}, func(column int) bool { return column != 1 })
	want := "name    Elo  note\nä       +12\n重み      0  y\nlonger   -3  x\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Table(nil, nil); got != "" {
		t.Errorf("no rows give %q", got)
	}
}
