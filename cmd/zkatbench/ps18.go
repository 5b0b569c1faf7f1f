package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/zkatbench/zkatbench/runner/outfile"
	scheme "github.com/zkatbench/zkatbench/scheme/ps18"
)

// ps18Line has the commands for pairing signatures.
func ps18Line(s streams) *commandLine {
	verify := newLine("ps18 verify", "FILE", "verify the signatures in a file of vectors")
	verify.help = "Verifies the signatures in a file of vectors and prints how many are valid. The status " +
		"is 1 if one is not."
	verify.expects(1, 1, "name one file of vectors")
	verify.exec = func(_ context.Context, files []string) error {
		b, err := outfile.ReadFile(files[0])
		if err != nil {
			return err
		}
		vectors, err := scheme.LoadVectors(bytes.NewReader(b))
		if err != nil {
			return fmt.Errorf("%s: %w", files[0], err)
		}
		valid := 0
		for i, v := range vectors {
			if err := v.Verify(scheme.Product); err != nil {
				fmt.Fprintf(s.err, "zkatbench: ps18 verify: signature %d (%s, %d messages): %v\n", i+1,
					v.Curve, len(v.Messages), err)
				continue
			}
			valid++
		}
		_, err = fmt.Fprintf(s.out, "%d of %d signatures verify\n", valid, len(vectors))
		if err == nil && valid < len(vectors) {
			err = exitError{status: negative}
		}
		return err
	}
	return grouped("ps18", "verify pairing signatures in a file of vectors", "", verify)
}
