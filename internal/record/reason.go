package record

import "quintune/board"

// Reason says why a game ended as it did.
type Reason string

// Reasons that are written. The side that lost is the one at fault.
const (
	ReasonUnknown     Reason = ""
	ReasonBoard       Reason = "board"           // a winning row, or no empty cell
	ReasonProven      Reason = "proven win"      // ended early, since the end was proven
	ReasonDead        Reason = "no five left"    // ended early, since nobody could win any more
	ReasonAdjudicated Reason = "adjudicated"     // ended early by a manager
	ReasonResigned    Reason = "resigned"        // a player gave up
	ReasonTimeout     Reason = "timeout"         // a player was too slow
	ReasonIllegal     Reason = "illegal move"    // a player moved where it must not
	ReasonForbidden   Reason = "forbidden point" // Black moved onto one, in renju
	ReasonCrash       Reason = "crash"           // a player's program ended
	ReasonMemory      Reason = "memory"          // a player's program took too much
	ReasonProtocol    Reason = "protocol"        // a player's program answered nothing sensible
	ReasonStart       Reason = "start"           // a player's program could not be started
)

var reasons = []Reason{
	ReasonBoard, ReasonProven, ReasonDead, ReasonAdjudicated, ReasonResigned, ReasonTimeout, ReasonIllegal,
	ReasonForbidden, ReasonCrash, ReasonMemory, ReasonProtocol, ReasonStart,
}

// reasonOf returns the reason of the text; ok is false where it is none.
func reasonOf(text string) (reason Reason, ok bool) {
	for _, r := range reasons {
		if string(r) == text {
			return r, true
		}
	}
	return ReasonUnknown, text == ""
}

// psqCodes are Piskvork's numbers of errors that end a game.
var psqCodes = map[Reason]int{
	ReasonIllegal: 7, ReasonForbidden: 7, ReasonProtocol: 9, ReasonStart: 9, ReasonCrash: 9, ReasonTimeout: 15, ReasonMemory: 16,
}

// psqReasons are the reasons of these numbers.
var psqReasons = map[int]Reason{7: ReasonIllegal, 9: ReasonCrash, 15: ReasonTimeout, 16: ReasonMemory}

// outcomeNames are the outcomes as JSON lines spell them.
var outcomeNames = [...]string{board.Ongoing: "", board.BlackWins: "black", board.WhiteWins: "white", board.Draw: "draw"}
