package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Scratch returns the scalars of the memory that the next proof gets.
func Scratch(s rangeproof.System) []group.Scalar { return s.(*System).Shared.Take().scalars }
