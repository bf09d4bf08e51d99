package ladder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
)

// A line of a journal is a checksum, a blank and a JSON object:
//
//	1c291ca3 {"pairing":0,"pair":12,"games":[…]}
//
// The checksum is the CRC-32 (IEEE) of the object, eight hexadecimal digits.

// checksumDigits is the length of a checksum.
const checksumDigits = 8

// formatLine returns the line of an object.
func formatLine(object any) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s %s\n", checksum(data), data), nil
}

func checksum(data []byte) string {
	return fmt.Sprintf("%0*x", checksumDigits, crc32.ChecksumIEEE(data))
}

// readLines returns the objects of the sound lines and how many bytes they take from the beginning. What
// follows them is the trace of a crash, in which no sound line can be; where there is one, the
// file was damaged in another way, which is an error that names the first unsound line.
func readLines(data []byte) (objects [][]byte, whole int, err error) {
	bad := 0
	number := 0
	for rest := data; len(rest) > 0; {
		number++
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		object, sound := readLine(line)
		switch {
		case !sound || !ended:
			if bad == 0 {
				bad = number
			}
		case bad > 0:
			return nil, 0, fmt.Errorf("line %d is damaged: its checksum is not that of its content", bad)
		default:
			objects = append(objects, object)
			whole += len(line) + 1
		}
		rest = after
	}
	return objects, whole, nil
}

// readLine returns the object of a line, and whether the checksum is its own.
func readLine(line []byte) (object []byte, sound bool) {
	sum, object, found := bytes.Cut(line, []byte(" "))
	return object, found && string(sum) == checksum(object)
}
