// Package oneshot runs an operation as a small program that prepares, works, and
// ends: the form that profilers and instruction counters want.
//
// A Program prepares and works its records, and its inputs can be written and
// read as text. Each question about the inside runs a Program in another way: its
// median time, the cost of each step, its memory, a CPU profile, its
// instructions. Shots are the contrary: one operation in each of many
// environments and processes.
//
// A record is one operation in an environment prepared for it alone, with the
// seed of the program plus the number of the record. If the operation can be
// observed (bench.Op.On), the randomness of its work follows the seed as well, so
// the same seed gives the same outputs, counts and instructions.
package oneshot

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Program is n records of one operation in one case.
type Program struct {
	Op   bench.Op
	Case bench.Case
	// Records is the number of records that are worked.
	Records int
	// Prepared is the number of records that are prepared, Records if it is less.
	Prepared int
	// Seed is the seed of the first record.
	Seed uint64
	// Observe returns tools for a record, or nil. Without their Random, the seed of the
	// record makes it.
	Observe func(record int) bench.Tools
	// Inputs are the inputs of each record, nil if set-up makes them.
	Inputs [][][]byte
	// Report receives lines on preparation and work, unless it is nil. The first three
	// have a fixed form.
	Report io.Writer
}

func (p Program) report(format string, args ...any) {
	if p.Report != nil {
		fmt.Fprintf(p.Report, format, args...)
	}
}

// seeded reports whether the randomness of the work follows the seed.
func (p Program) seeded() bool { return p.Op.On != nil }

// Name is the name of the operation and its case, as benchmarks have it.
func (p Program) Name() string { return p.Op.Name + "/" + p.Case.Name() }

// prepared is the number of records that are prepared.
func (p Program) prepared() int { return max(p.Records, p.Prepared) }

// random returns the source of randomness of a record.
func random(seed uint64) io.Reader {
	return rand.NewChaCha8(sha256.Sum256(binary.BigEndian.AppendUint64([]byte("zkatbench/oneshot/"), seed)))
}

// Run is a prepared program.
type Run struct {
	program   Program
	instances []bench.Instance
}

// Prepare prepares all records. It first runs the operation once in another
// environment and checks the result, so that a program never measures an
// operation that fails.
func (p Program) Prepare(ctx context.Context) (*Run, error) {
	p.report("Using random seed: %d for %d records\n", p.Seed, p.Records)
	trial, err := p.Op.New(p.Case, p.Seed-1) // an environment that no record has
	if err != nil {
		return nil, err
	}
	if _, err := trial.Try(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Op.Name, err)
	}
	r := &Run{program: p}
	start := time.Now()
	for i := range p.prepared() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in, err := p.instance(i)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", i, err)
		}
		r.instances = append(r.instances, in)
	}
	p.report("Preparation complete in %v\n", time.Since(start))
	return r, nil
}

// instance prepares a record.
func (p Program) instance(i int) (bench.Instance, error) {
	seed := p.Seed + uint64(i)
	if !p.seeded() {
		return p.Op.New(p.Case, seed)
	}
	var tools bench.Tools
	if p.Observe != nil {
		tools = p.Observe(i)
	}
	if tools.Random == nil {
		tools.Random = random(seed)
	}
	if p.Inputs == nil {
		return p.Op.On(p.Case, seed, tools)
	}
	if p.Op.Read == nil {
		return bench.Instance{}, p.errNoInputs()
	}
	return p.Op.Read(p.Case, seed, tools, p.Inputs[i])
}

func (p Program) errNoInputs() error {
	return fmt.Errorf("%s has no inputs that can be written and read", p.Op.Name)
}

// Result is the outcome of the work of a program.
type Result struct {
	Records int
	Took    time.Duration
	// Digest is SHA-256 over the lengths and bytes of all outputs and of the inputs that
	// the operations know, since verifying does not return an output.
	Digest string
}

// Work works the records, one after another, and checks the last result. After
// an interrupt the result covers the records that were worked, and the error is the
// error of ctx. each, if it is not nil, is called around the work of each record.
func (r *Run) Work(ctx context.Context, each func(record int, work func())) (*Result, error) {
	if each == nil {
		each = func(_ int, work func()) { work() }
	}
	outputs := make([][]byte, r.program.Records)
	res := &Result{}
	var err error
	start := time.Now()
	for res.Records < len(outputs) && ctx.Err() == nil && err == nil {
		i := res.Records
		each(i, func() { outputs[i], err = r.instances[i].Work() })
		res.Records++
	}
	res.Took = time.Since(start)
	if n := res.Records; err == nil && n > 0 {
		err = r.instances[n-1].Check(outputs[n-1])
	}
	if err != nil {
		return nil,
			fmt.Errorf("%s: record %d: %w: %w", r.program.Op.Name, res.Records-1, metric.ErrFails, err)
	}
	res.Digest = digest(outputs[:res.Records], r.instances)
	randomness := "system"
	if r.program.seeded() {
		randomness = "seeded"
	}
	r.program.report("%s for %d records took %v\ndigest: %s\nrandomness: %s\n", r.program.Op.Name,
		res.Records, res.Took, res.Digest, randomness)
	return res, ctx.Err()
}

func digest(outputs [][]byte, instances []bench.Instance) string {
	h := sha256.New()
	for i, out := range outputs {
		write(h, out)
		if in := instances[i]; in.Inputs != nil {
			for _, input := range in.Inputs() {
				write(h, input)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func write(h hash.Hash, out []byte) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(out))))
	h.Write(out)
}

// ErrInputs says that text is not the inputs of a program.
var ErrInputs = errors.New("bad inputs")

// maxRecord bounds a line of inputs in bytes.
const maxRecord = 64 << 20

func (p Program) inputsHeader() string {
	return fmt.Sprintf("# zkatbench inputs 1 op=%s case=%s seed=%d n=%d", p.Op.Name, p.Case.Name(), p.Seed,
		p.prepared())
}

// Emit writes the inputs of all records: a header, then a line for each record
// with the encodings of its inputs in hexadecimal, separated by blanks.
func (r *Run) Emit(w io.Writer) error {
	if r.program.Op.Read == nil {
		return r.program.errNoInputs()
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, r.program.inputsHeader())
	for _, in := range r.instances {
		var fields []string
		for _, input := range in.Inputs() {
			fields = append(fields, hex.EncodeToString(input))
		}
		fmt.Fprintln(b, strings.Join(fields, " "))
	}
	return b.Flush()
}

// ReadInputs reads text written by Emit. Its header must be the header of the program.
// The error is ErrInputs and names the line.
func (p Program) ReadInputs(r io.Reader) (inputs [][][]byte, err error) {
	if p.Op.Read == nil {
		return nil, p.errNoInputs()
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRecord)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if got, want := lines.Text(), p.inputsHeader(); got != want {
				return nil, fmt.Errorf("%w: line 1 is %q, not %q", ErrInputs, text.Cut(got, 200), want)
			}
			continue
		}
		record, err := readRecord(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrInputs, n, err)
		}
		inputs = append(inputs, record)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: line %d: %w", ErrInputs, len(inputs)+2, err)
	}
	if len(inputs) != p.prepared() {
		return nil, fmt.Errorf("%w: %d records instead of %d", ErrInputs, len(inputs), p.prepared())
	}
	return inputs, nil
}

func readRecord(line string) (record [][]byte, err error) {
	for field := range strings.SplitSeq(line, " ") {
		b, err := hex.DecodeString(field)
		if err != nil || hex.EncodeToString(b) != field {
			return nil, errors.New("a field is not lower-case hexadecimal")
		}
		record = append(record, b)
	}
	return record, nil
}
