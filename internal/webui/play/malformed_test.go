package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quintune/internal/webui/guard"
	"quintune/weights"
)

// bad is a request that must be refused.
type bad struct {
	name, method, path, kind, body string
}

// jsonTo returns a POST of JSON for each body.
func jsonTo(path string, bodies ...string) (list []bad) {
	for i, body := range bodies {
		list = append(list, bad{fmt.Sprintf("%s %d", path, i), "POST", path, "application/json", body})
	}
	return list
}

// malformed returns bad requests about a game of two moves.
func malformed(t *testing.T, id string) []bad {
	t.Helper()
	game := "/api/games/" + id
	deep := strings.Repeat(`{"a":`, 20_000)
	var list []bad
	list = append(list, jsonTo("/api/games",
		"", "{", "null x", "[]", `"text"`, "17", "\x00\xff\xfe", deep, `{"size":15}{"size":15}`, `{"size":15,"rule":"freestyle","path":"/etc/passwd"}`,
		`{"size":0,"rule":"freestyle"}`, `{"size":4,"rule":"freestyle"}`, `{"size":23,"rule":"freestyle"}`, `{"size":-15,"rule":"freestyle"}`,
		`{"size":1000000000,"rule":"freestyle"}`, `{"size":99999999999999999999,"rule":"freestyle"}`, `{"size":15.5,"rule":"freestyle"}`, `{"size":"15","rule":"freestyle"}`,
		`{"size":15,"rule":""}`, `{"size":15,"rule":"caro"}`, `{"size":15,"rule":"FREESTYLE"}`, `{"size":15,"rule":0}`, `{"size":15}`,
		`{"size":15,"rule":"freestyle","moves":"h8h8"}`, `{"size":15,"rule":"freestyle","moves":"p1"}`, `{"size":15,"rule":"freestyle","moves":"h0"}`,
		`{"size":15,"rule":"freestyle","moves":"8h"}`, `{"size":15,"rule":"freestyle","moves":"h8 <script>"}`, `{"size":15,"rule":"freestyle","moves":"h99"}`,
		`{"size":15,"rule":"freestyle","moves":["h8"]}`, `{"size":15,"rule":"freestyle","moves":"a1b1a2b2a3b3a4b4a5b5"}`, `{"size":15,"rule":"renju","moves":"h8a1i8a2g9a3g10a15g8"}`,
		`{"size":15,"rule":"freestyle","moves":"h8i9a1c3d4e5","swap2":true}`, `{"size":15,"rule":"freestyle","swap2":true,"seats":[{"player":"baseline:zhang"},{}]}`, `{"size":15,"rule":"freestyle","swap2":"yes"}`,
	)...)
	for _, name := range []string{
		"/etc/passwd", "../../etc/passwd", "weights.json", "file:///etc/passwd", "gomocup:sh -c 'touch /tmp/x'", "gomocup:./pbrain", "baseline:", "baseline:none",
		"upload:0123456789abcdef", "Huang", "huang ", "huang\\u0000", "own",
	} {
		list = append(list, jsonTo("/api/games", fmt.Sprintf(`{"size":15,"rule":"freestyle","seats":[{"player":"%s"},{}]}`, name))...)
	}
	list = append(list, jsonTo(game+"/seats",
		`{"seats":[{"player":"huang","level":11},{}]}`, `{"seats":[{"player":"huang","level":-1},{}]}`, `{"seats":[{"player":"huang","nodes":-1},{}]}`,
		`{"seats":[{"player":"huang","nodes":1000000001},{}]}`, `{"seats":[{"player":"huang","time":-1},{}]}`, `{"seats":[{"player":"huang","time":9223372036854775807},{}]}`,
		`{"seats":[{"player":"baseline:zhang","level":3},{}]}`, `{"seats":"huang"}`, `{"seats":[{"player":["huang"]},{}]}`, `{"seats":[{"command":"sh"},{}]}`,
	)...)
	list = append(list, jsonTo(game+"/play",
		`{}`, `{"cell":"","ply":2}`, `{"cell":"h8","ply":2}`, `{"cell":"h9","ply":0}`, `{"cell":"h9","ply":-1}`, `{"cell":"z9","ply":2}`, `{"cell":"h9i9","ply":2}`,
		`{"cell":"p16","ply":2}`, `{"cell":7,"ply":2}`, `{"cell":"h9","ply":"2"}`, `{"cell":"h9","ply":2,"colour":"black"}`,
	)...)
	list = append(list, jsonTo(game+"/go", `{}`, `{"ply":3}`, `{"ply":-1}`, `{"ply":1,"way":"undo"}`, `{"way":"sideways"}`, `{"way":"redo"}`, `{"ply":1e99}`)...)
	list = append(list, jsonTo(game+"/choose", `{"option":"black","ply":2}`, `{"option":"","ply":2}`, `{"option":"two","ply":0}`)...)
	list = append(list, jsonTo(game+"/think", `{"ply":2}`, `{"ply":0}`, `{"ply":null,"x":1}`, `[]`)...)
	list = append(list, jsonTo(game+"/analyze",
		`{"ply":2}`, `{"ply":2,"weights":"baseline:zhang"}`, `{"ply":2,"weights":"/etc/passwd"}`, `{"ply":1,"weights":"huang"}`, `{"ply":2,"weights":"huang","lines":33}`,
		`{"ply":2,"weights":"huang","lines":-1}`, `{"ply":2,"weights":"huang","time":300001}`, `{"ply":2,"weights":"huang","nodes":-5}`,
	)...)
	list = append(list, jsonTo(game+"/solve", `{"ply":2,"weights":"huang","solver":"mate"}`, `{"ply":2,"weights":"huang","nodes":10}`)...)
	list = append(list, jsonTo(game+"/curve", `{"weights":"nobody"}`, `{"weights":"huang","nodes":-1}`, `{"weights":"huang","nodes":1000000000}`)...)
	for i, text := range []string{
		"", "  \n", "Piskvorky", "Piskvorky 15x15", "Piskvorky 15x15, 11:11, 0\n99,99,0\n", "Piskvorky 15x15, 11:11, 0\n1,1,0\n1,1,0\n", "Piskvorky 4000x4000, 11:11, 0\n1,1,0\n",
		"Piskvorky 15x20, 11:11, 0\n1,1,0\n", "Piskvorky -1x-1, 0:0, 0\n", "(;GM[4]SZ[15];B[zz])", "(;GM[4]SZ[99];B[hh])", "(;GM[1]SZ[19];B[pd])", "(;GM[4]SZ[15];B[hh];W[hh])", "(((((((", "(;",
		"{}", `{"size":15}`, "h8i9x99", "\x00\x01\x02", strings.Repeat("(;", 5000), strings.Repeat("h8", 400), "h8i9\nh8",
	} {
		list = append(list, bad{fmt.Sprintf("record %d", i), "POST", "/api/import", "text/plain", text})
	}
	for _, query := range []string{"size=4", "size=23", "size=x", "rule=caro", "size=99999999999999999999", "rule=%00"} {
		list = append(list, bad{"import " + query, "POST", "/api/import?" + query, "text/plain", "h8"})
	}
	for i, text := range weightFiles(t) {
		list = append(list, bad{fmt.Sprintf("weights %d", i), "POST", "/api/weights", "application/octet-stream", text})
	}
	long := strings.Repeat("x", guard.MaxBody+1)
	for _, path := range []string{"/api/games", "/api/weights", "/api/import", game + "/play", game + "/analyze"} {
		list = append(list, bad{"too long " + path, "POST", path, "application/json", `{"cell":"` + long + `"}`})
	}
	return append(list,
		bad{"no JSON", "POST", "/api/games", "text/plain", `{"size":15,"rule":"freestyle"}`},
		bad{"a form", "POST", "/api/games", "application/x-www-form-urlencoded", "size=15"},
		bad{"no type", "POST", "/api/games", "", `{"size":15,"rule":"freestyle"}`},
		bad{"unknown game", "GET", "/api/games/nothing", "", ""},
		bad{"climbing", "GET", "/api/games/..%2f..%2fetc", "", ""},
		bad{"unknown game played", "POST", "/api/games/x/play", "application/json", `{"cell":"h8","ply":0}`},
		bad{"wrong method", "PUT", game, "application/json", "{}"},
		bad{"change by GET", "GET", game + "/play", "", ""},
		bad{"deleting nothing", "DELETE", "/api/games/x", "", ""},
		bad{"unknown format", "GET", game + "/record?format=exe", "", ""},
		bad{"format that is only read", "GET", game + "/record?format=rec", "", ""},
		bad{"unknown file", "GET", "/secret.txt", "", ""},
		bad{"a climbing file", "GET", "/..%2f..%2fplay.go", "", ""},
		bad{"unknown request", "POST", "/api/exec", "application/json", "{}"},
	)
}

// weightFiles returns files that are not weights.
func weightFiles(t *testing.T) []string {
	t.Helper()
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	files := []string{
		"", "{}", "[]", "null", "{", good[:len(good)/2], good + good, good + "x", "\xff" + good,
		strings.Replace(good, `"format": "`, `"format": "other/`, 1), strings.Replace(good, `"size": 15`, `"size": 1500`, 1), strings.Replace(good, `"rule": "freestyle"`, `"rule": "chess"`, 1),
		strings.Replace(good, `"name": "huang"`, `"name": "hu\u001bang"`, 1), strings.Replace(good, `"name": "huang"`, `"name": 7`, 1), strings.Replace(good, `"name"`, `"Name"`, 1),
		strings.Replace(good, `"line.dead.self": 0`, `"line.dead.self": 1e9`, 1), strings.Replace(good, `"line.dead.self": 0`, `"line.dead.self": 0.5`, 1),
		strings.Replace(good, `"line.dead.self": 0`, `"line.dead.self": 0, "line.dead.self": 0`, 1), strings.Replace(good, `"line.dead.self": 0`, `"line.dead.self": -99999999999999999999`, 1),
		strings.Replace(good, `"line.dead.self"`, `"line.dead.Self"`, 1),
	}
	for i, text := range files {
		if text == good {
			t.Fatalf("weights file %d is good", i)
		}
	}
	return files
}

// Each bad request gets a status 4xx with a message and does not disturb the program.
func TestMalformed(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Moves: "h8i9"})
	list := malformed(t, g.ID)
	if len(list) < 100 {
		t.Fatalf("only %d requests", len(list))
	}
	for _, b := range list {
		t.Run(b.name, func(t *testing.T) {
			status, answer := s.do(b.method, b.path, b.kind, bytes.NewReader([]byte(b.body)))
			if status < 400 || status > 499 {
				t.Errorf("status %d, %.200s for %.80q", status, answer, b.body)
				return
			}
			var message map[string]string
			plain := status == http.StatusNotFound || status == http.StatusMethodNotAllowed // answered by the mux
			if err := json.Unmarshal(answer, &message); (err != nil || message["error"] == "") && (!plain || len(answer) == 0) {
				t.Errorf("status %d without a message: %.200q", status, answer)
			}
		})
	}
	status, answer := s.do("GET", "/api/games/"+g.ID, "", nil)
	var after gameView
	if err := json.Unmarshal(answer, &after); err != nil || status != 200 || after.Ply != 2 || after.Seats != g.Seats {
		t.Errorf("status %d, the game is %s (%v)", status, answer, err)
	}
}

// Requests from a page of another origin, or with another host name, are refused.
func TestStrangers(t *testing.T) {
	s := open(t)
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"foreign host", func(r *http.Request) { r.Host = "evil.example" }, http.StatusMisdirectedRequest},
		{"foreign origin", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		{"another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := http.NewRequest("POST", s.url+"/api/games", strings.NewReader(`{"size":15,"rule":"freestyle"}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			test.change(r)
			answer, err := s.client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != test.status {
				t.Errorf("status %d, want %d", answer.StatusCode, test.status)
			}
		})
	}
	if n := len(s.server.games.byID); n != 0 {
		t.Errorf("strangers began %d games", n)
	}
}
