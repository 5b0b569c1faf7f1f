package simd_test

import (
	"crypto/sha256"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fp"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/simd"
)

var sink [sha256.Size]byte

// BenchmarkHash hashes 64 KiB after other work.
func BenchmarkHash(b *testing.B) {
	v := make(fp.Vector, 64)
	for _, c := range []struct {
		name   string
		before func()
	}{
		{"after=nothing", func() { simd.Leave() }},
		{"after=vectors", func() { v.Mul(v, v) }},
		{"after=vectors,Leave", func() { v.Mul(v, v); simd.Leave() }},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := make([]byte, 1<<16)
			for b.Loop() {
				c.before()
				sink = sha256.Sum256(data)
			}
		})
	}
}
