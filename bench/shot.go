package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"time"
)

// Shot times one operation in an environment that nothing else uses, made from
// seed. Its inputs are encoded first, which forces work that set-up left over, and
// then used, decoded, or decoded within the time, by the input mode of the case. A
// garbage collection precedes the operation, and its result is checked.
func (op Op) Shot(c Case, seed uint64) (time.Duration, error) {
	in, err := op.New(c, seed)
	if err != nil {
		return 0, err
	}
	if in.Inputs != nil {
		in.Inputs()
	}
	if InputUse.Of(c) == FreshInputs && in.Fresh != nil {
		if in, err = in.Fresh(); err != nil {
			return 0, fmt.Errorf("%s: %w", op.Name, err)
		}
	}
	runtime.GC()
	start := time.Now()
	out, err := in.Work()
	took := time.Since(start)
	if err == nil {
		err = in.Check(out)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", op.Name, err)
	}
	return took, nil
}

// ShotSeed derives the seed of one shot of a fork from the seed of all.
func ShotSeed(seed uint64, fork, shot int) uint64 {
	var b []byte
	for _, n := range []uint64{seed, uint64(fork), uint64(shot)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	h := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(h[:])
}
