package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"time"
)

// Shot times one operation, in wall and in processor time, in a separate environment, made from
// seed. Its inputs are encoded first, which forces work that set-up left over, and
// then used, decoded, or decoded within the time, by the input mode of the case. A
// garbage collection precedes the operation, and its result is checked.
func (op Op) Shot(c Case, seed uint64) (t ShotTime, err error) {
	in, err := op.New(c, seed)
	if err != nil {
		return t, err
	}
	if in.Inputs != nil {
		in.Inputs()
	}
	if InputUse.Of(c) == freshInputs && in.Fresh != nil {
		if in, err = in.Fresh(); err != nil {
			return t, fmt.Errorf("%s: %w", op.Name, err)
		}
	}
	runtime.GC()
	cpu := newProcessorTime(op, c, 0)
	defer cpu.Close()
	start := time.Now()
	cpu.Start()
	out, err := in.Work()
	cpu.Stop()
	t = ShotTime{Wall: time.Since(start), CPU: cpu.Sum(), Threads: cpu.threads}
	if err == nil {
		err = in.Check(out)
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", op.Name, err)
	}
	return t, nil
}

// ShotTime is the time of an operation by both clocks of benchmarks. Threads is
// the number of threads whose processor time CPU can be, 0 for the calling one.
type ShotTime struct {
	Wall, CPU time.Duration
	Threads   int
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
