package cluster

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quintune/internal/bench"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Coordinator and worker refuse a program of another protocol version, and the message names both versions.
func TestOtherProtocolIsRefused(t *testing.T) {
	c := open(t, Config{})
	j := joining{Name: "old", Instance: "1", Signature: bench.Signature(), Schema: weights.Fingerprint(), Jobs: 1}
	if got := c.examine(patient(t), "A", &j); !strings.Contains(got.Refused, "protocol 0") || got.Protocol != protocol {
		t.Errorf("%+v", got)
	}
}

func TestOtherEngineIsRefusedByName(t *testing.T) {
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger()})
	err := end(t, WorkerConfig{URL: c.Address(), Name: "oldie", Engine: "1-00000000"})
	for _, text := range []string{err.Error(), said.String()} {
		t.Run(text, func(t *testing.T) {
			for _, want := range []string{"1-00000000", bench.Signature()} {
				if !strings.Contains(text, want) {
					t.Errorf("%q does not name %s", text, want)
				}
			}
		})
	}
	if !errors.Is(err, ErrRefused) || !strings.Contains(said.String(), "oldie") {
		t.Errorf("%v; the log says %s", err, said)
	}
	if s := c.Status(); len(s.Refused) != 1 || s.Refused[0].Name != "oldie" || s.Faults["worker refused"] != 1 {
		t.Errorf("%+v", s)
	}
}

// A worker that lacks the engine which a run tunes is told how to start, one with another engine what differs. One of another version is
// told neither: --engine would not help it.
func TestWorkerWithoutTheEngineIsToldHow(t *testing.T) {
	outside, _ := besides(t, func() selfplay.Player { return fouling{} }, pattern.Freestyle, 1)
	c := open(t, Config{Jobs: 1, Outside: outside})
	for signature, want := range map[string]string{
		bench.Signature():                   ": start it with --engine FILE",
		bench.Signature() + " engine other": ": its engine file, or the program that this starts, is another",
		"1-00000000":                        " engine h",
	} {
		j := joining{Protocol: protocol, Instance: "x", Name: "without", Signature: signature, Schema: weights.Fingerprint(), Jobs: 1}
		if got := c.examine(patient(t), signature, &j).Refused; !strings.Contains(got, "this run needs") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: refused with %q, want at its end %q", signature, got, want)
		}
	}
}

// A worker that claims the engine's signature but does not find the engine's moves is not admitted.
func TestProofOfTheEngine(t *testing.T) {
	c := open(t, Config{})
	j := joining{Protocol: protocol, Instance: "x", Name: "liar", Signature: bench.Signature(), Schema: weights.Fingerprint(), Jobs: 1}
	asked := c.examine(patient(t), "A", &j)
	if asked.Nonce == "" || asked.Admitted || asked.Refused != "" {
		t.Fatalf("%+v", asked)
	}
	j.Nonce, j.Proof = asked.Nonce, strings.Repeat("0", 32)
	if got := c.examine(patient(t), "A", &j); got.Admitted || !strings.Contains(got.Refused, "other moves") {
		t.Errorf("a wrong proof: %+v", got)
	}
	proof, err := Prove(patient(t), asked.Nonce)
	if err != nil {
		t.Fatal(err)
	}
	j.Nonce, j.Proof = "of yesterday", proof
	if got := c.examine(patient(t), "B", &j); got.Admitted || got.Nonce == "" {
		t.Errorf("a proof for another nonce: %+v", got)
	}
	j.Nonce = asked.Nonce
	if got := c.examine(patient(t), "B", &j); !got.Admitted {
		t.Errorf("a right proof: %+v", got)
	}
	j.Jobs = 0
	if got := c.examine(patient(t), "C", &j); got.Refused == "" {
		t.Error("a worker without jobs is admitted")
	}
	other, err := Prove(patient(t), "another nonce")
	if err != nil || other == proof {
		t.Errorf("two nonces have one proof %s, %v", proof, err)
	}
}

// A run whose board the engine cannot play on ends with the reason, and an engine for one size of board is proved on it.
func TestEngineIsProvedOnTheBoardOfTheRun(t *testing.T) {
	only20 := func(string) (selfplay.Contestant, error) {
		return selfplay.Contestant{Name: "engine", Remote: EnginePrefix + "{}", Liable: true, Open: func(size int, _ pattern.Rule, _ int64) (selfplay.Player, error) {
			if size != 20 {
				return crashing{crashes: new(atomic.Int64)}, nil
			}
			return fouling{}, nil
		}}, nil
	}
	for size, want := range map[int]string{20: "", 15: "cannot play standard on 15×15"} {
		c := open(t, Config{Jobs: 1, Outside: &Outside{Hash: "h", Repeats: true, Contestant: only20, Rule: pattern.Standard, Size: size}})
		if jobs, err := c.Ready(patient(t)); want == "" && (err != nil || jobs != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("size %d: %d jobs, %v", size, jobs, err)
		}
	}
}

// Two nonces are accepted, each with its own proof: the one that is handed out, and the one before it.
func TestNoncesAreAcceptedUntilTheNextButOne(t *testing.T) {
	for _, test := range []struct {
		name         string
		exam         *examiner
		nonce, proof string
		right, known bool
	}{
		{"handed out", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "n", "p", true, true},
		{"long ago", &examiner{nonce: "n", proof: "p", issued: time.Unix(1, 0)}, "n", "p", true, true},
		{"before it", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "m", "o", true, true},
		{"proof of the other", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "m", "p", false, true},
		{"unknown", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "k", "p", false, false},
		{"no previous one", &examiner{nonce: "n", proof: "p"}, "", "", false, false},
		{"none yet", &examiner{}, "", "", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if right, known := test.exam.accepts(test.nonce, test.proof); right != test.right || known != test.known {
				t.Errorf("right %v, known %v, want %v and %v", right, known, test.right, test.known)
			}
		})
	}
}

// Where the two games of a proof differ by chance on one side only, our engine alone is proved.
func TestProofsByChanceAreAccepted(t *testing.T) {
	own := strings.Repeat("a", ownProof)
	for _, test := range []struct {
		ours, theirs string
		right        bool
	}{
		{own + "0123", own + "0123", true},
		{own, own + "0123", true},
		{own + "0123", own, true},
		{own + "0123", own + "4567", false},
		{own, strings.Repeat("b", ownProof), false},
		{own + "0123", "", false},
		{own, "", false},
	} {
		e := examiner{nonce: "n", proof: test.ours}
		if right, known := e.accepts("n", test.theirs); right != test.right || !known {
			t.Errorf("%q for %q: right %v, known %v", test.theirs, test.ours, right, known)
		}
	}
}
