package play

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"quintune/weights"
)

// The numbers of games and uploads are bounded. The oldest is dropped, and requests for it get 404 or 400.
func TestBounds(t *testing.T) {
	s := open(t)
	now := time.Unix(1, 0)
	s.server.games.now = func() time.Time { now = now.Add(time.Second); return now }
	first := s.game(newRequest{})
	second := s.game(newRequest{})
	for range maxGames - 1 {
		if status, _ := s.do("GET", "/api/games/"+first.ID, "", nil); status != 200 {
			t.Fatalf("status %d: a game in use is forgotten", status)
		}
		s.game(newRequest{})
	}
	if status, _ := s.do("GET", "/api/games/"+second.ID, "", nil); status != 404 {
		t.Errorf("status %d: %d games are kept", status, len(s.server.games.byID))
	}
	now = now.Add(idleTime + time.Hour)
	s.game(newRequest{})
	if n := len(s.server.games.byID); n != 1 {
		t.Errorf("%d games are kept after a long time", n)
	}
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range maxUploads + 1 {
		set.Name = fmt.Sprintf("set %d", i)
		data, err := weights.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		l, err := s.server.roster.upload(data)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, l.id)
	}
	if _, err := s.server.roster.find(ids[0]); err == nil || !strings.Contains(err.Error(), "load the file again") || len(s.server.roster.uploads) != maxUploads {
		t.Errorf("%d uploads are kept (%v)", len(s.server.roster.uploads), err)
	}
	g := s.game(newRequest{Seats: [2]seatRequest{engine(ids[1]), {}}})
	if _, err := s.server.roster.find(ids[2]); err != nil {
		t.Fatal(err)
	}
	s.do("GET", "/api/games/"+g.ID, "", nil)
	if l := s.server.roster.uploads[maxUploads-1]; l.id != ids[1] {
		t.Errorf("%s was used last, want the player of a game that was seen", l.label)
	}
}

// The numbers of running and of waiting searches are bounded.
func TestPool(t *testing.T) {
	p := newPool(1, 1)
	thinker, giveBack, err := p.lend(context.Background(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for range maxWaiting {
		wait.Go(func() {
			if _, _, err := p.lend(ctx, "b"); err == nil {
				t.Error("the only engine is lent twice")
			}
		})
	}
	for waiting := 0; waiting < maxWaiting; {
		p.mu.Lock()
		waiting = p.waiting
		p.mu.Unlock()
	}
	if _, _, err := p.lend(ctx, "c"); err == nil || !strings.Contains(err.Error(), "too many searches") {
		t.Errorf("%v", err)
	}
	cancel()
	wait.Wait()
	giveBack()
	if again, _, err := p.lend(context.Background(), "a"); err != nil || again != thinker {
		t.Errorf("the engine is not given back (%v)", err)
	}
}

// A change of the game cancels the engine's search, which reports this, and the engine is free again.
func TestChangeEndsThought(t *testing.T) {
	s := open(t)
	slow := seatRequest{Player: "huang", strengthView: strengthView{Time: 200_000}}
	g := s.game(newRequest{Moves: "h8", Seats: [2]seatRequest{{}, slow}})
	path := "/api/games/" + g.ID
	status := make(chan int)
	go func() { status <- s.post(path+"/think", thinkRequest{1}, nil) }()
	h := s.server.games.find(g.ID)
	for thinks := false; !thinks; {
		h.mu.Lock()
		thinks = h.thinking != nil
		h.mu.Unlock()
	}
	if again := s.post(path+"/think", thinkRequest{1}, nil); again != 409 {
		t.Errorf("status %d for a second thought", again)
	}
	if s.post(path+"/go", goRequest{Way: "undo"}, &g); g.Ply != 0 {
		t.Errorf("%+v", g)
	}
	if got := <-status; got != 409 {
		t.Errorf("status %d of the thought", got)
	}
	if n := len(s.server.pool.places); n != 0 {
		t.Errorf("%d engines are still lent", n)
	}
}

// A client that reads no answers keeps nobody else from its game, nor from others.
func TestAClientThatReadsNothing(t *testing.T) {
	s := open(t)
	var black, white strings.Builder // a full board without a five, so that the answer does not fit into a buffer
	for y := 1; y <= 20; y++ {
		for x := range 20 {
			colour := &black
			if (x/2+y)%2 == 0 {
				colour = &white
			}
			fmt.Fprintf(colour, "%c%d", 'a'+x, y)
		}
	}
	v := s.game(newRequest{Size: 20, Black: black.String(), White: white.String()})
	address := strings.TrimPrefix(s.url, "http://")
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	request := strings.Repeat("GET /api/games/"+v.ID+" HTTP/1.1\r\nHost: "+address+"\r\n\r\n", 1000)
	for { // until the server waits for the client
		if err := c.SetWriteDeadline(time.Now().Add(500 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, request); err != nil {
			break
		}
	}
	s.client.Timeout = 10 * time.Second // less than the client is waited for
	for _, test := range []struct{ method, path string }{
		{"GET", "/api/games/" + v.ID}, {"DELETE", "/api/games/" + v.ID}, {"GET", "/api/setup"}, {"GET", "/api/games/" + s.game(newRequest{}).ID},
	} {
		if status, _ := s.do(test.method, test.path, "", nil); status != http.StatusOK {
			t.Errorf("%s %s: status %d", test.method, test.path, status)
		}
	}
}
