package oneshot

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/text"
)

// ErrInputs says that text is not the inputs of a program.
var ErrInputs = errors.New("bad inputs")

// maxRecord bounds a line of inputs in bytes.
const maxRecord = 64 << 20

func (p Program) inputsHeader() string {
	return fmt.Sprintf("# zkatbench inputs 1 op=%s case=%s seed=%d n=%d", p.Op.Name, p.Case.Name(), p.Seed, p.prepared())
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

// ReadInputs reads text written by Emit. Its header must be that of the program. The
// error is ErrInputs and names the line.
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
