package book

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestRetired(t *testing.T) {
	tests := []struct {
		pairs, split int
		want         bool
	}{
		{0, 0, false},
		{1, 1, false},
		{34, 34, false}, // the true share may still be nine in ten
		{35, 35, true},
		{35, 34, false},
		{100, 95, false},
		{100, 96, true},
		{1000, 900, false},
		{1000, 930, true},
		{1000, 500, false},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%d of %d", test.split, test.pairs), func(t *testing.T) {
			var r Retirement
			for i := range test.pairs {
				r.Add(12, i < test.split)
			}
			if got := r.Retired(12); got != test.want {
				t.Errorf("%d splits of %d pairs: retired %v, want %v", test.split, test.pairs, got, test.want)
			}
			if want := map[bool]int{true: 1}[test.want]; r.Len() != want || r.Retired(13) {
				t.Errorf("%d splits of %d pairs: %d are retired, want %d", test.split, test.pairs, r.Len(), want)
			}
		})
	}
	var none *Retirement
	if none.Retired(12) || none.Len() != 0 {
		t.Errorf("nil: 12 is retired: %v, %d are, want false and 0", none.Retired(12), none.Len())
	}
}

func TestRetirementIsStored(t *testing.T) {
	var r Retirement
	keys := []uint64{1 << 63, 9, 1<<64 - 1, 4}
	for i := range 200 {
		r.Add(keys[i%4], i%4 < 2)
	}
	data, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"key":"4","pairs":50,"split":0},{"key":"9","pairs":50,"split":50},` +
		`{"key":"9223372036854775808","pairs":50,"split":50},{"key":"18446744073709551615","pairs":50,"split":0}]`
	if string(data) != want {
		t.Errorf("stored as %s, want %s", data, want)
	}
	var again Retirement
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if again.Len() != 2 || !again.Retired(9) || again.Retired(4) {
		t.Errorf("%d are retired after reading back, want 9 and 1<<63", again.Len())
	}
	var empty Retirement
	if data, err := json.Marshal(&empty); err != nil || string(data) != "[]" {
		t.Errorf("nothing is stored as %s (error %v)", data, err)
	}
}

func TestBadRetirementsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                           "retirement",
		`[{"key":"x","pairs":1,"split":0}]`:            "retirement",
		`[{"key":"7","pairs":1,"split":2}]`:            "key 7",
		`[{"key":"7","pairs":0,"split":0}]`:            "key 7",
		`[{"key":"7","pairs":3,"split":-1}]`:           "key 7",
		`[{"key":"7","pairs":3,"split":1,"since":-1}]`: "retired since -1",
		`[{"key":"7","pairs":3,"split":1},{"key":"7","pairs":3,"split":1}]`: "twice",
	} {
		t.Run(text, func(t *testing.T) {
			var r Retirement
			if err := json.Unmarshal([]byte(text), &r); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want one with %q", text, err, want)
			}
		})
	}
}

// The openings retired until a generation do not change with later counts, before and after storing.
func TestRetiredUntil(t *testing.T) {
	var r Retirement
	for generation := range 4 {
		for range 40 {
			r.Add(uint64(generation), true)
		}
		r.Date(generation)
	}
	for range 400 {
		r.Add(0, false) // generations in flight still play it
	}
	data, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	var read Retirement
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	if r.Retired(0) {
		t.Error("an opening that no longer splits is retired, want it alive")
	}
	for _, from := range []*Retirement{&r, &read} {
		for until := -1; until < 4; until++ {
			old := from.Until(until)
			if old.Len() != until+1 || old.Retired(uint64(until+1)) || until >= 0 && !old.Retired(uint64(until)) {
				t.Errorf("until generation %d: %d are retired", until, old.Len())
			}
		}
	}
}
