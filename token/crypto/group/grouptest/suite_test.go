package grouptest_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

func TestToys(t *testing.T) {
	for _, q := range []uint64{3, 13, 199, 1<<31 - 1} {
		grouptest.Run(t, grouptest.Toy(q))
	}
}

func TestNative(t *testing.T) {
	grouptest.Run(t, bn254.New())
}
