package suite

import (
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

// The modes.
const (
	naive  = "naive"  // all parties, one after the other
	replay = "replay" // one party against a recording of the others
)

// The axes of the matrix.
var (
	Case = &bench.Axis[string]{
		Name: "case", Flag: "case", Default: strings.Join(CaseNames(), ","), Brief: "frost-sign", Values: bench.Names(CaseNames()...),
		Usage: "protocols and phases, comma-separated",
	}
	MaxMalicious = &bench.Axis[int]{
		Name: "malicious", Flag: "max_malicious", Default: "6,15", Brief: "6", Values: bench.Numbers(1, 64),
		Usage: "maximum numbers of malicious parties, comma-separated",
	}
	Mode = &bench.Axis[string]{
		Name: "mode", Flag: "mode", Default: naive + "," + replay, Brief: replay, Values: bench.Names(naive, replay),
		Usage: "naive runs all parties, replay one of them against a recording of the others; comma-separated",
	}
	Codec = &bench.Axis[string]{
		Name: "codec", Flag: "codec", Default: "compact", Values: bench.Names(codec.Names...), Show: bench.IfChosen,
		Usage: "encodings of messages, comma-separated; near writes as MessagePack does",
	}
	Party = &bench.Axis[int]{
		Name: "party", Flag: "party", Default: "1", Values: bench.Numbers(1, 129), Show: bench.IfChosen,
		Usage: "the real party of a replay; 1 is the coordinator; comma-separated",
	}
)
