package cluster

import (
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	var m meter
	begin := time.Unix(1_000_000, 0)
	if got := m.rate(begin); got != 0 {
		t.Errorf("%v events a second before the first", got)
	}
	for second := range 100 {
		m.add(begin.Add(time.Duration(second)*time.Second), 6)
		m.add(begin.Add(time.Duration(second)*time.Second+time.Millisecond), 1)
	}
	for _, test := range []struct {
		after time.Duration
		want  float64
	}{
		{99 * time.Second, 7}, {99*time.Second + 15*time.Second, 3.5}, {200 * time.Second, 0},
	} {
		if got := m.rate(begin.Add(test.after)); got != test.want {
			t.Errorf("after %v: %v events a second, want %v", test.after, got, test.want)
		}
	}
	var young meter
	young.add(begin, 10)
	young.add(begin.Add(2*time.Second), 10)
	if got := young.rate(begin.Add(4 * time.Second)); got != 5 {
		t.Errorf("20 events in the first 4 seconds are %v a second", got)
	}
}
