package suite

import (
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// field is the arithmetic below the curve: a generated package, or a library.
var field = &bench.Axis[string]{
	Name: "field", Flag: "field", Default: "10x26,10x28,9x29,9x29-top,9x29-adds0,std,nistec",
	Values: flags.Names(fieldNames()...),
	Usage:  ": " + strings.Join(fieldNames(), ", "),
}

// messageLength is the number of bytes that are signed.
var messageLength = &bench.Axis[int]{
	Name: "msglen", Flag: "msglen", Default: "64,512,2048,16384", Brief: "64",
	Values: flags.Numbers(0, 1<<24),
}
