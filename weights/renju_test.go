package weights

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quintune/pattern"
)

// checkMirrors checks that weights of Black in renju equal those that they mirror.
func checkMirrors(t *testing.T, s *Set) {
	t.Helper()
	for d, v := range s.All() {
		if d.Mirror == "" {
			continue
		}
		if want, err := s.Get(d.Mirror); err != nil || v != want {
			t.Errorf("%s: %s is %d, mirrored are %d, %v", s.Name, d.Name, v, want, err)
		}
	}
}

func TestOtherRulesMirror(t *testing.T) {
	for _, name := range PresetNames() {
		if s := mustPreset(t, name); s.Rule != pattern.Renju {
			checkMirrors(t, s)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, rule := range []pattern.Rule{pattern.Freestyle, pattern.Standard} {
		base := mustPreset(t, "huang")
		base.Rule = rule
		sp := mustSpace(t, base, DefaultGroups(rule)...)
		s := mustDecode(t, sp, randomGenes(rng, len(sp.Genes())))
		checkMirrors(t, s)
		if p := mustEncode(t, sp, s); !p.Set.Equal(s) {
			t.Errorf("%v: a decoded set moves: %v", rule, p.Moved)
		}
	}
}

// Under renju Black's weights have genes of their own with the same encoding. White's weights fix the scale.
func TestRenjuGenome(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	base := mustPreset(t, "huang")
	base.Rule = pattern.Renju
	groups := DefaultGroups(pattern.Renju)
	sp := mustSpace(t, base, groups...)
	if got, want := fmt.Sprint(groups), "[line cell order tempo pair search black_line black_cell black_order black_tempo black_pair]"; got != want {
		t.Errorf("the groups are %s, want %s", got, want)
	}
	search := len(mustSpace(t, base, SearchGroup).Genes())
	if n := len(sp.Genes()); n != 86+110+search+22+24+22+22+110 {
		t.Errorf("%d genes, %d of the search", n, search)
	}
	for range 100 {
		s := mustDecode(t, sp, randomGenes(rng, len(sp.Genes())))
		checkOrder(t, s, groups)
		if p := mustEncode(t, sp, s); len(p.Moved) > 0 || len(p.Scaled) > 0 || !p.Set.Equal(s) {
			t.Fatalf("a decoded set moves: %v %v", p.Scaled, p.Moved)
		}
		back, err := Unmarshal(mustMarshal(t, s))
		if err != nil || !back.Equal(s) {
			t.Fatalf("a file changes the set: %v", err)
		}
	}
	black := mustDecode(t, mustSpace(t, base, "black_line"), make([]float64, 22))
	if white, _ := black.Get("line.four.self"); white != 2450 {
		t.Errorf("tuning Black alone moves White's four to %d", white)
	}
}

func TestRenjuGroupsAreRefusedElsewhere(t *testing.T) {
	_, err := NewSpace(mustPreset(t, "huang"), []string{"line", "black_line"})
	const want = `weights: group "black_line" counts under renju alone, the rule is freestyle`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A file of schema 1 has no weights for Black. Read by this program, the set scores Black's cells like White's.
func TestSchemaOneIsUpgraded(t *testing.T) {
	set := mustPreset(t, "zhang")
	set.Rule = pattern.Renju // under every rule
	got, err := Unmarshal([]byte(oldFile(t, set, 1)))
	if err != nil {
		t.Fatal(err)
	}
	checkMirrors(t, got)
	if !got.Equal(set) {
		t.Error("the upgraded set is another one")
	}
	if forbidden, _ := got.Get("black_cell.forbidden.self"); forbidden != 0 {
		t.Errorf("a forbidden cell is worth %d", forbidden)
	}
}

// oldFile returns the file that a program with the given schema would have written for the set.
func oldFile(t *testing.T, set *Set, number int) string {
	t.Helper()
	var lines []string
	for _, d := range current.everything {
		if d.partOf(number) {
			value, err := set.Get(d.Name)
			if err != nil {
				value = d.Ref
			}
			lines = append(lines, fmt.Sprintf("    %q: %d", d.Name, value))
		}
	}
	head, _, _ := strings.Cut(string(mustMarshal(t, set)), `"weights": {`)
	head = strings.Replace(head, Fingerprint(), fingerprintOf(current.everything, number), 1)
	return head + "\"weights\": {\n" + strings.Join(lines, ",\n") + "\n  }\n}\n"
}

// A file of schema 3 has weights that the search no longer uses. They are checked and dropped.
func TestSchemaThreeIsUpgraded(t *testing.T) {
	set := mustPreset(t, "huang")
	set.Provenance = nil
	old := oldFile(t, set, 3)
	got, err := Unmarshal([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Equal(set) || strings.Contains(string(mustMarshal(t, got)), "vcf_nodes") {
		t.Error("the upgraded set is another one")
	}
	for _, test := range []struct{ name, old, new, want string }{
		{"missing", `    "search.vcf_nodes": 16,`, "", "search.vcf_nodes is missing"},
		{"outside", `"search.vcf_nodes": 16`, `"search.vcf_nodes": -1`, "search.vcf_nodes is -1, outside [0, 100000]"},
		{"new schema", fingerprintOf(current.everything, 3), Fingerprint(), `unknown key "search.vcf_least_depth"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Unmarshal([]byte(strings.Replace(old, test.old, test.new, 1)))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
