package text

import "testing"

func TestDidYouMean(t *testing.T) {
	for name, want := range map[string]string{
		"nihgt-1": `: did you mean "night-1"?`, // swapped
		"Night-1": `: did you mean "night-1"?`,
		"night-2": `: did you mean "night-2"?`, // the most similar
		"night":   `: did you mean "night-1"?`,
		"evening": "",
		"pol":     "", // two letters of three
		"ck":      "", // one of two
		"cll":     `: did you mean "cl"?`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := DidYouMean(name, []string{"night-1", "night-2", "other", "cl"}); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
