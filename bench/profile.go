package bench

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
)

// startProfile begins a CPU profile for the benchmark called name. The
// function that it returns ends it and writes an allocation profile beside it.
// Files are in the folder of -test.outputdir, or in that of the package.
func startProfile(name string) (stop func() error, err error) {
	base := profileBase(name)
	cpu, err := os.Create(base + ".cpu.pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, errors.Join(fmt.Errorf("profile of %s: %w", name, err), cpu.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return errors.Join(cpu.Close(), writeAllocs(base+".allocs.pprof"))
	}, nil
}

func writeAllocs(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	runtime.GC() // the profile is of the last completed collection
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}

func profileBase(name string) string {
	dir := ""
	if f := flag.Lookup("test.outputdir"); f != nil {
		dir = f.Value.String()
	}
	return filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
}
