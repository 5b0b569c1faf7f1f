package bench

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// profiled calls loop, under a profiler if the case requests it, and then also writes an
// allocation profile. The files go to the directory of -test.outputdir, or of the package.
func profiled(b *testing.B, c Case, loop func()) {
	if !c.Options().Profile {
		loop()
		return
	}
	base := profileBase(b.Name())
	err := outfile.Write(base+".cpu.pprof", func(w io.Writer) error {
		defer pprof.StopCPUProfile()
		if err := pprof.StartCPUProfile(w); err != nil {
			return fmt.Errorf("profile of %s: %w", b.Name(), err)
		}
		loop()
		return nil
	})
	if err == nil {
		runtime.GC() // the profile covers the last completed collection
		err = outfile.Write(base+".allocs.pprof", func(w io.Writer) error { return pprof.Lookup("allocs").WriteTo(w, 0) })
	}
	if err != nil {
		b.Fatal(err)
	}
}

func profileBase(name string) string {
	dir := ""
	if f := flag.Lookup("test.outputdir"); f != nil {
		dir = f.Value.String()
	}
	return filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
}
