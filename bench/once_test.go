package bench // named is private: Named reads the flags of the running test binary

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamed(t *testing.T) {
	const test = "TestParallelBenchmarkSender"
	for pattern, want := range map[string]bool{
		test:                        true,
		"^" + test + "$":            true,
		"TestParallel":              true,
		"Parallel":                  true,
		test + "/bits=32":           true,
		"TestVectors|" + test:       true,
		"":                          false,
		".":                         false,
		".*":                        false,
		"Test":                      false,
		"Sender":                    false,
		"^$":                        false,
		"TestParallelBenchmarkSent": false,
		"(":                         false,
	} {
		t.Run(fmt.Sprintf("%q", pattern), func(t *testing.T) {
			require.Equal(t, want, named(pattern, test), "%q", pattern)
		})
	}
}
