// Command peers measures the transfer of two tokens into two with the proof systems
// of gnark. `zkatbench peers` asks it as package serve says.
//
// A transfer is a circuit over hashed or committed tokens, and Groth16 and PLONK are one type of system.
// Witnesses and commitments are fresh; each case refuses a wrong witness and a wrong
// token before it is measured.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/logger"

	"github.com/zkatbench/zkatbench/peers/serve"
)

func main() {
	logger.Disable()
	runtime.GOMAXPROCS(1)
	var cases []serve.Case
	for _, curve := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		for _, kind := range []struct {
			name   string
			tokens func(ecc.ID) (tokens, error)
		}{{"poseidon2", hashedTokens}, {"pedersen", committedTokens}} {
			for _, s := range []system{groth16System(curve), plonkSystem(curve)} {
				shown := strings.ToUpper(strings.ReplaceAll(curve.String(), "_", "-"))
				cases = append(cases, serve.Case{
					Name: fmt.Sprintf("statement=transfer/library=gnark/system=%s/tokens=%s/curve=%s", s.name,
						kind.name, shown),
					Prepare: func() (serve.Prepared, error) {
						t, err := kind.tokens(curve)
						if err != nil {
							return nil, err
						}
						return prepare(s, t)
					},
				})
			}
		}
	}
	serve.Main(cases)
}

// processorTime is the processor time of the whole program, since the library works on
// several goroutines.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
