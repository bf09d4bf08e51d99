package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/runfolder"
	"quintune/pattern"
	"quintune/weights"
)

// A ratio wants one sign, and is 0 where B is.
func TestRatios(t *testing.T) {
	for _, test := range []struct {
		a, b float64
		want string // of the ratio; "": none
	}{{20, 82, "4.1"}, {-5, 0, "0"}, {5, 0, "0"}, {0, 5, ""}, {1e-200, -1e-200, ""}, {-1e-200, -2e-200, "2"}} {
		got := ""
		if r := differenceOf("x", test.a, test.b).Ratio; r != nil {
			got = fmt.Sprint(*r)
		}
		if got != test.want {
			t.Errorf("%v and %v: ratio %q, want %q", test.a, test.b, got, test.want)
		}
	}
}

// What reads weights files reads values files of an engine too, and never compares one with the other.
func TestDiffAndExportOfValues(t *testing.T) {
	inFolder(t)
	for name, content := range map[string]string{
		"a.json": `{"values":{"attack":20,"reach":0.5}}`, "b.json": `{"format":"quintune.values/1","name":"tuned","engine":"e","values":{"reach":-2,"attack":82}}`,
		"c.json": `{"values":{"attack":20}}`, "broken.json": `{"format":"quintune.values/1","values":{"attack":"many"}}`,
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"diff a.json b.json", "value     A   B  B / A\nattack   20  82   4.10\nreach   0.5  -2      -\na.json (A) and b.json (B) differ in 2 values.\nNext: `tune export a.json --format markdown` lists the values.\n"},
		{"diff a.json a.json", "a.json and a.json have the same values.\n"},
		{"export b.json --format csv", "name,value\nreach,-2\nattack,82\n"},
		{"export a.json --format markdown", "# a.json\n"},
	} {
		if text := done(t, strings.Fields(test.args)...); !strings.Contains(text, test.want) {
			t.Errorf("%s:\n%s", test.args, text)
		}
	}
	for _, test := range []struct {
		args, want string
		status     int
	}{
		{"diff huang b.json", "of huang and b.json one has weights and the other the values of an engine", config.ExitUsage},
		{"diff a.json c.json", "c.json has no value reach, which a.json has", config.ExitFailed},
		{"diff c.json a.json", "c.json has no value reach, which a.json has", config.ExitFailed},
		{"diff a.json broken.json", `broken.json: `, config.ExitFailed},
		{"export a.json --format go", "format: go is for weights, and a.json has the values of an engine", config.ExitUsage},
	} {
		if _, log, status := tune(t, strings.Fields(test.args)...); status != test.status || !strings.Contains(log, test.want) {
			t.Errorf("%s: status %d: %s", test.args, status, log)
		}
	}
}

func TestDiffShowsRatios(t *testing.T) {
	inFolder(t)
	table := done(t, "export", "huang", "--format", "csv")
	const key = "line.open_two.self,"
	at := strings.Index(table, key) + len(key)
	value := table[at : at+strings.Index(table[at:], "\n")]
	if err := os.WriteFile("h.csv", []byte(strings.Replace(table, key+value, key+"1"+value, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, "import", "h.csv", "-o", "h.json", "--name", "changed")
	text := done(t, "diff", "huang", "h.json")
	if !strings.Contains(text, "line.open_two.self") || !strings.Contains(text, "\nhuang (A) and h.json (B) differ in 1 weight.\nNext: `tune match huang h.json` plays") || strings.Count(text, "\n") != 4 {
		t.Errorf("%s", text)
	}
	o := object(t, done(t, "diff", "huang", "h.json", "--json"))["differences"].([]any)[0].(map[string]any)
	if o["ratio"].(float64) != o["b"].(float64)/o["a"].(float64) {
		t.Errorf("%v", o)
	}
	lines := strings.Count(table, "\n") + 1
	for _, test := range []struct{ name, table, want string }{
		{"missing", strings.Replace(table, key+value+"\n", "", 1), "line.open_two.self is missing"},
		{"twice", table + key + value + "\n", "line.open_two.self comes twice"},
		{"unknown", table + "line.open_five.self,3\n", "line.open_five.self"},
		{"text", strings.Replace(table, key+value, key+"many", 1), `"many", not a whole number`},
		{"range", strings.Replace(table, key+value, key+"99999999999", 1), "99999999999"},
		{"columns", table + "line.open_two.self\n", fmt.Sprintf("line %d is not a name and a whole number with one comma", lines)},
		{"semicolons", strings.ReplaceAll(table, ",", ";"), "line 1 is not a name and a whole number with one comma"},
		{"an empty row", table + ",\n", fmt.Sprintf("line %d: the name is empty", lines)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile("bad.csv", []byte(test.table), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, log, status := tune(t, "import", "bad.csv", "-o", "never.json"); status != config.ExitFailed || !strings.Contains(log, test.want) || !strings.Contains(log, "bad.csv") {
				t.Errorf("%s: status %d: %s", test.name, status, log)
			}
		})
	}
	if _, err := os.Stat("never.json"); err == nil {
		t.Error("a bad table was imported")
	}
}

func TestExportDiffAndOpenings(t *testing.T) {
	inFolder(t)
	for _, format := range runfolder.ExportFormats() {
		if text := done(t, "export", "huang", "--format", format); !strings.Contains(text, "line.open_four.self") {
			t.Errorf("%s: %.200s", format, text)
		}
	}
	done(t, "export", "huang", "-o", "h.json")
	if set, err := weights.Load("h.json"); err != nil || set.Name != "huang" {
		t.Errorf("%v", err)
	}
	if text := done(t, "diff", "huang", "h.json"); !strings.HasPrefix(text, "huang and h.json have the same weights.\nNext: ") {
		t.Errorf("a copy differs: %s", text)
	}
	for other, black := range map[string]bool{"flat": false, "renju15": true} {
		text := done(t, "diff", "huang", other, "--json")
		if !strings.Contains(text, `"line.four.self"`) || strings.Contains(text, `"black_line.four.self"`) != black {
			t.Errorf("huang against %s: %s", other, text)
		}
	}
	o := object(t, done(t, "openings", "--count", "3", "--size", "9", "--out", "o.txt", "--json"))
	f := bytes.NewReader(read(t, "o.txt"))
	b, err := book.Parse(f, "o.txt", pattern.Freestyle, 9)
	if err != nil || len(b.Openings) != 3 || o["hash"] != b.Hash() {
		t.Errorf("%v, error %v", o, err)
	}
	if text := done(t, "openings", "--count", "3", "--size", "9"); text != string(read(t, "o.txt")) {
		t.Errorf("on stdout: %s", text)
	}
}
