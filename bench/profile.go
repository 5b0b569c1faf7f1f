package bench

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// startProfile begins a CPU profile for the benchmark called name. stop ends it
// and also writes an allocation profile. The files go to the directory of
// -test.outputdir, or of the package.
func startProfile(name string) (stop func() error, err error) {
	base := profileBase(name)
	cpu, err := outfile.Create(base + ".cpu.pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		cpu.Discard()
		return nil, fmt.Errorf("profile of %s: %w", name, err)
	}
	return func() error {
		pprof.StopCPUProfile()
		defer cpu.Discard()
		return errors.Join(cpu.Commit(), writeAllocs(base+".allocs.pprof"))
	}, nil
}

func writeAllocs(path string) error {
	runtime.GC() // the profile covers the last completed collection
	return outfile.Write(path, func(w io.Writer) error { return pprof.Lookup("allocs").WriteTo(w, 0) })
}

func profileBase(name string) string {
	dir := ""
	if f := flag.Lookup("test.outputdir"); f != nil {
		dir = f.Value.String()
	}
	return filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
}
