package store

import (
	"encoding/binary"
	"fmt"

	"quintune/board"
)

// oneByteSize is the largest board on which every cell and a pass fit in one byte.
const oneByteSize = 15

// The encoding of a pass, which is board.NoCell on the board.
const (
	bytePass = 0xff
	wordPass = 0xffff
)

// encodeMoves encodes each move as y*size + x: in one byte, or in two for boards larger than oneByteSize.
func encodeMoves(moves []board.Cell, size int) []byte {
	data := make([]byte, 0, 2*len(moves))
	for _, m := range moves {
		number := m.Y()*size + m.X()
		switch {
		case size <= oneByteSize && m == board.NoCell:
			data = append(data, bytePass)
		case size <= oneByteSize:
			data = append(data, byte(number))
		case m == board.NoCell:
			data = binary.BigEndian.AppendUint16(data, wordPass)
		default:
			data = binary.BigEndian.AppendUint16(data, uint16(number))
		}
	}
	return data
}

// decodeMoves decodes the result of encodeMoves.
func decodeMoves(data []byte, size int) ([]board.Cell, error) {
	width, pass := 1, bytePass
	if size > oneByteSize {
		width, pass = 2, wordPass
	}
	if len(data)%width != 0 {
		return nil, fmt.Errorf("moves of %d bytes, not a multiple of %d", len(data), width)
	}
	if len(data) == 0 {
		return nil, nil
	}
	moves := make([]board.Cell, 0, len(data)/width)
	for ; len(data) > 0; data = data[width:] {
		number := int(data[0])
		if width == 2 {
			number = int(binary.BigEndian.Uint16(data))
		}
		switch {
		case number == pass:
			moves = append(moves, board.NoCell)
		case number >= size*size:
			return nil, fmt.Errorf("a move on cell %d, outside [0, %d)", number, size*size)
		default:
			moves = append(moves, board.At(number%size, number/size))
		}
	}
	return moves, nil
}
