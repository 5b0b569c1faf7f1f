// Package serve is the protocol of the programs that `zkatbench peers` asks, for those
// in Go. A program prints a line for each case, `case NAME key=value …`, and `ready`.
// Each line of its standard input is `OPERATION COUNT NAME`. The answer is the
// processor time in nanoseconds for COUNT operations. Statements are made before, and
// proofs are checked.
package serve

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// Case is a case of a program.
type Case struct {
	Name    string
	Prepare func() (Prepared, error)
}

// Prepared is a case with its statements. Time does an operation count times and returns
// the processor time.
type Prepared interface {
	Facts() string // key=value …
	Time(op string, count int) (time.Duration, error)
}

// Main prepares the cases whose names contain the text of -only, and answers until the
// input ends. It exits with status 1 after an error.
func Main(cases []Case) {
	only := flag.String("only", "", "prepare only cases whose name contains this `text`")
	flag.Parse()
	if err := serve(cases, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve prepares the cases whose names contain only, prints their facts, and then times one
// operation for each line of standard input.
func serve(cases []Case, only string) error {
	prepared := map[string]Prepared{}
	for _, c := range cases {
		if !strings.Contains(c.Name, only) {
			continue
		}
		p, err := c.Prepare()
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		prepared[c.Name] = p
		fmt.Printf("case %s %s\n", c.Name, p.Facts())
	}
	debug.FreeOSMemory()
	fmt.Println("ready")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var op, name string
		var count int
		if _, err := fmt.Sscan(lines.Text(), &op, &count, &name); err != nil || count < 1 ||
			prepared[name] == nil {
			return fmt.Errorf("%q is not OPERATION COUNT NAME of a case", lines.Text())
		}
		took, err := prepared[name].Time(op, count)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Println(took.Nanoseconds())
	}
	return lines.Err()
}
