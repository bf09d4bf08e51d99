package record

import (
	"bytes"
	"reflect"
	"testing"
)

// FuzzParse reads any text in any format. What is read can be written, and reads as the same again
// in the formats that keep everything.
func FuzzParse(f *testing.F) {
	g := full(f)
	for format := range Format(len(formats)) {
		if format.Writable() {
			f.Add(uint8(format), []byte(written(f, format, &g)))
		}
	}
	f.Add(uint8(SGF), []byte("(;GM[4]AB[hh][ii]AW[jj](;W[kk])(;W[aa]))"))
	f.Add(uint8(SGF), []byte("(;B[hh](;W[ii]C[5ms](;B[jj])(;B[kk];W[aa]))(;W[aa];B[bb];B[cc])(;C[?];W[cc]))(;B[dd])"))
	f.Add(uint8(Rec), []byte("A\nB\n9,9,100\n"))
	f.Add(uint8(Offsets), []byte("0,0, 1,-1"))
	f.Fuzz(func(t *testing.T, number uint8, data []byte) {
		format := Format(int(number) % len(formats))
		games, err := Parse(data, format, DefaultConditions())
		if err != nil {
			return
		}
		for i := range games {
			for _, to := range []Format{SGF, JSON} {
				var out bytes.Buffer
				if err := Write(&out, to, &games[i]); err != nil {
					t.Fatal(err)
				}
				want := games[i]
				if to == JSON {
					want.Variations = nil
				}
				again, err := Parse(out.Bytes(), to, DefaultConditions())
				if err != nil || len(again) != 1 || !reflect.DeepEqual(again[0], want) {
					t.Fatalf("%v to %v: %v\n%+v\n%+v\n%s", format, to, err, games[i], again, out.String())
				}
			}
		}
	})
}
