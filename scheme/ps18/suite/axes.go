package suite

import (
	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// Values of the axes.
const (
	product  = "product"
	plain    = "plain"
	prepared = "prepared"
)

// The axes of the matrix.
var (
	curveName = &bench.Axis[string]{
		Name: "curve", Flag: "curves", Default: "BN254,BLS12_381_BBS_GURVY", Brief: "BN254",
		Values: flags.Names(curve.Names...),
	}
	messages = &bench.Axis[int]{
		Name: "messages", Flag: "messages", Default: "1,10", Brief: "1", Values: flags.Numbers(1, 1024),
	}
	backend = &bench.Axis[string]{
		Name: "backend", Flag: "backend", Default: "native", Values: flags.Names(curve.Backends...),
		Show: bench.IfChosen,
	}
	verify = &bench.Axis[string]{
		Name: "verify", Flag: "verify", Default: product, Values: flags.Names(product, plain),
		Show: bench.IfChosen,
	}
	key = &bench.Axis[string]{
		Name: "key", Flag: "key", Default: plain, Values: flags.Names(plain, prepared), Show: bench.IfChosen,
	}
	batch = &bench.Axis[int]{
		Name: "batch", Flag: "batch", Default: "64", Values: flags.Numbers(1, 1024), Show: bench.IfChosen,
		Usage: ": signatures by PS18VerifyBatch",
	}
)
