package config

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

type repeatOptions struct {
	Common
	Pairs  int
	Fork   bool
	Anchor []string
}

func (o *repeatOptions) Declare(d *Declaration) {
	Var(d, &o.Pairs, "pairs", "1", Whole(1, 100), "pairs")
	Var(d, &o.Fork, "fork", "false", Switch(), "fork")
	Var(d, &o.Anchor, "anchor", "", Several("PLAYER"), "anchor")
}

func TestRepeat(t *testing.T) {
	for _, test := range []struct {
		name        string
		args, again []string
	}{
		{"nothing typed", []string{"a", "b"}, []string{"match", "a", "b"}},
		{"values", []string{"--pairs", "7", "a", "--json", "b"}, []string{"match", "a", "b", "--pairs", "7"}},
		{"a switch", []string{"a", "b", "--fork", "--quiet"}, []string{"match", "a", "b", "--fork"}},
		{"a switch that is off", []string{"a", "b", "--fork=false"}, []string{"match", "a", "b", "--fork=false"}},
		{"repeated", []string{"a", "b", "--anchor", "x", "--anchor", "y z"}, []string{"match", "a", "b", "--anchor", "x", "--anchor", "y z"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var again []string
			cmd := Bind(&cobra.Command{Use: "match A B", Args: cobra.ExactArgs(2)}, &repeatOptions{}, func(cmd *cobra.Command, _ *repeatOptions, args []string) error {
				again = Repeat(cmd, args)
				return nil
			})
			cmd.SetArgs(test.args)
			if err := cmd.Execute(); err != nil || !slices.Equal(again, test.again) {
				t.Errorf("again %q, want %q (%v)", again, test.again, err)
			}
		})
	}
}
