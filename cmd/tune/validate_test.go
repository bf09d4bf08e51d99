package main

import (
	"reflect"
	"testing"

	"quintune/weights"
)

// Without options the validation that a file publishes is played again, on the same openings.
func TestThePublishedValidationIsRepeated(t *testing.T) {
	t.Chdir(t.TempDir())
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	set.Provenance = &weights.Provenance{Run: "0123456789abcdef", Start: "flat", Optimizer: "ga", Engine: "1-00000000", Commit: "unknown", Nodes: 30}
	if err := weights.Save("w.json", set, false); err != nil {
		t.Fatal(err)
	}
	published := object(t, done(t, "validate", "w.json", "--pairs", "5", "--nodes", "30", "--seed", "7", "--json"))
	v := &weights.Validation{Opponent: "flat", Nodes: 30, Pairs: 5, Games: 10, Seed: 7, Openings: published["openings"].(string)}
	for i, n := range published["pentanomial"].([]any) {
		v.Pentanomial[i] = int64(n.(float64))
	}
	set.Provenance.Validation = v
	if err := weights.Save("w.json", set, false); err != nil {
		t.Fatal(err)
	}
	if repeated := object(t, done(t, "validate", "w.json", "--json")); !reflect.DeepEqual(repeated, published) {
		t.Errorf("%v, published is %v", repeated, published)
	}
	if other := object(t, done(t, "validate", "w.json", "--pairs", "3", "--nodes", "30", "--json")); other["pairs"] != 3.0 {
		t.Errorf("with an option of its own it played %v pairs", other["pairs"])
	}
}
