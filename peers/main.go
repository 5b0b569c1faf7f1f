// Command peers measures the transfer of two tokens into two with the proof systems
// of gnark. `zkatbench peers` builds and asks it, as the Rust programs in rust/.
//
//	statement.go  the transfer as a circuit: hashed and committed tokens
//	tokens.go     fresh transfers, computed outside the circuit
//	system.go     Groth16 and PLONK behind one interface
//	main.go       the cases, and the protocol on standard input
//
// The program prints a line for each case, `case NAME key=value …`, and `ready`.
// Each line of its standard input is `OPERATION COUNT NAME`. The answer is the
// processor time of the program in nanoseconds for COUNT operations. Witnesses and
// commitments are fresh and made before; proofs are checked, and each case refuses
// a wrong witness and a wrong token before it is measured.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/logger"
)

func main() {
	only := flag.String("only", "", "prepare only cases whose name contains this `text`")
	flag.Parse()
	logger.Disable()
	runtime.GOMAXPROCS(1)
	if err := serve(os.Stdin, os.Stdout, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve prepares the cases and answers requests until the input ends.
func serve(in io.Reader, out io.Writer, only string) error {
	cases := map[string]*prepared{}
	for _, curve := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		pedersen, err := committedTokens(curve)
		if err != nil {
			return err
		}
		kinds := []struct {
			name string
			tokens
		}{{"poseidon2", hashedTokens(curve)}, {"pedersen", pedersen}}
		for _, kind := range kinds {
			for _, s := range []system{groth16System{curve}, plonkSystem{curve}} {
				name := fmt.Sprintf("statement=transfer/library=gnark/system=%s/tokens=%s/curve=%s", s, kind.name, strings.ToUpper(strings.ReplaceAll(curve.String(), "_", "-")))
				if !strings.Contains(name, only) {
					continue
				}
				c, err := prepare(s, kind.tokens)
				if err != nil {
					return fmt.Errorf("peers: %s: %w", name, err)
				}
				cases[name] = c
				fmt.Fprintf(out, "case %s %s\n", name, c.facts())
			}
		}
	}
	debug.FreeOSMemory()
	fmt.Fprintln(out, "ready")
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var op, name string
		var count int
		if _, err := fmt.Sscan(lines.Text(), &op, &count, &name); err != nil || count < 1 {
			return fmt.Errorf("peers: %q is not OPERATION COUNT NAME", lines.Text())
		}
		c, ok := cases[name]
		if !ok {
			return fmt.Errorf("peers: no case %q", name)
		}
		took, err := c.time(op, count)
		if err != nil {
			return fmt.Errorf("peers: %s: %w", name, err)
		}
		fmt.Fprintln(out, took.Nanoseconds())
	}
	return lines.Err()
}

// processorTime is that of the whole program, since the library works on several
// goroutines.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
