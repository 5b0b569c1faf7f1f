package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/scheme/p256/limb"
)

const measureHelp = `Measures P-256 key generation over every limb size from 20 to 31 bits that is proved safe, with the
largest proved -max_adds, for one pass, one with -extra_top and two, and over the settings in the
arguments, such as 9x29:1:1 (limbs x bits : max_adds : passes), which need no proof. Each setting is generated and
compiled into a test binary of this module in place of one of its fields; the binaries then run in
turns, in a random order each round. A run makes 8 keys 25 times and counts the fastest time, which
excludes most interruptions by other programs. Run it in the root folder of the module.`

const (
	// substituted is the field that the generated ones replace, and its value of
	// -field.
	substituted, substitutedField = "g9x29", "9x29"
	measuredPackage               = "./scheme/p256/suite/suitetest"
	baseline                      = "10x26:2:1"
)

// measureFlags are the flags of limbs measure.
type measureFlags struct {
	rounds *int
	seed   *uint64
}

func limbsMeasure(s streams) *commandLine {
	l := newLine("limbs measure", "[flags] [SETTING ...]", "measure every limb size that is proved safe")
	l.help = measureHelp
	f := measureFlags{
		rounds: flags.One(&l.flags, "rounds", "10", "runs of each setting", flags.AtLeast(1)),
		seed:   flags.One(&l.flags, "seed", "1", "seed of the order within a round", flags.Seeds()),
	}
	l.exec = func(ctx context.Context, args []string) error { return f.run(ctx, args, s) }
	return l
}

// row is a setting, or a library, with its results.
type row struct {
	name    string
	setting limb.Setting
	verdict limb.Verdict
	binary  string
	field   string
	ns      []float64
	reduces float64
}

func (f *measureFlags) run(ctx context.Context, names []string, s streams) error {
	named, err := namedSettings(names)
	if err != nil {
		return err
	}
	original, err := filepath.Abs(filepath.Join("scheme/p256/field", substituted, "field.go"))
	if err != nil {
		return fmt.Errorf("zkatbench: limbs measure: %w", err)
	}
	if _, err := os.Stat(original); err != nil {
		return fmt.Errorf("zkatbench: limbs measure: run it in the root folder of the module: %w", err)
	}
	dir, err := os.MkdirTemp("", "zkatbench-")
	if err != nil {
		return fmt.Errorf("zkatbench: limbs measure: %w", err)
	}
	defer os.RemoveAll(dir)
	rows, err := provedSettings(ctx)
	if err != nil {
		return err
	}
	rows = append(rows, named...)
	for i := range rows {
		fmt.Fprintf(s.err, "building %s\n", rows[i].name)
		if err := rows[i].build(ctx, original, filepath.Join(dir, strconv.Itoa(i))); err != nil {
			return fmt.Errorf("zkatbench: limbs measure: %s: %w", rows[i].name, err)
		}
	}
	for _, library := range []string{"nistec", "std"} {
		rows = append(rows, row{name: library, field: library, binary: rows[0].binary})
	}
	rng := rand.New(rand.NewPCG(*f.seed, 0))
	for round := range *f.rounds {
		fmt.Fprintf(s.err, "round %d of %d\n", round+1, *f.rounds)
		for _, i := range rng.Perm(len(rows)) {
			if err := rows[i].measure(ctx); err != nil {
				return fmt.Errorf("zkatbench: limbs measure: %s: %w", rows[i].name, err)
			}
		}
	}
	return writeMeasured(s.out, rows)
}

// provedSettings returns the proved settings of P-256 with the most additions each.
func provedSettings(ctx context.Context) (rows []row, err error) {
	for bits := 20; bits <= 31; bits++ {
		g, err := limb.NewGeometry(limb.P256, bits, limb.LeastLimbs(limb.P256, bits))
		if err != nil {
			return nil, err
		}
		for _, reduction := range reductions {
			r, err := limb.MostAdds(ctx, limb.Setting{Geometry: g, Passes: reduction.passes, ExtraTop: reduction.extraTop})
			if errors.Is(err, limb.ErrNotProved) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("zkatbench: limbs measure: %w", err)
			}
			rows = append(rows, row{name: settingName(r.Setting), setting: r.Setting, field: substitutedField})
		}
	}
	return rows, nil
}

func namedSettings(names []string) (rows []row, err error) {
	for _, name := range names {
		s := limb.Setting{Geometry: limb.Geometry{Modulus: limb.P256, Word: 64}}
		plain, extra := strings.CutSuffix(name, "+top")
		s.ExtraTop = extra
		_, err := fmt.Sscanf(plain, "%dx%d:%d:%d", &s.Limbs, &s.Bits, &s.MaxAdds, &s.Passes)
		if err == nil {
			err = s.Validate()
		}
		if err != nil || settingName(s) != name {
			return nil, usageError("limbs measure: %q is not a setting such as 9x29:1:1, limbs x bits : max_adds : passes", name)
		}
		rows = append(rows, row{name: name, setting: s, field: substitutedField})
	}
	return rows, nil
}

func settingName(s limb.Setting) string {
	name := fmt.Sprintf("%s:%d:%d", s.Name(), s.MaxAdds, s.Passes)
	if s.ExtraTop {
		name += "+top"
	}
	return name
}

// build generates the setting and compiles the benchmarks with it.
// In the compiled package, it takes the place of the file original.
func (r *row) build(ctx context.Context, original, path string) error {
	answer, err := limb.Headroom(ctx, r.setting, limb.Search{Seed: 1, Pairs: 1 << 15})
	if err != nil {
		return err
	}
	r.verdict = answer.Verdict
	code, err := limb.Generate(limb.Source{Package: substituted, Command: "zkatbench limbs measure", Proved: answer, Unsafe: true})
	if err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: path + ".go"}})
	if err != nil {
		return err
	}
	err = errors.Join(os.WriteFile(path+".go", code, 0o666), os.WriteFile(path+".json", overlay, 0o666))
	if err != nil {
		return err
	}
	r.binary = path + ".test"
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-overlay="+path+".json", "-o", r.binary, measuredPackage)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// measure runs the benchmark and keeps the fastest result.
func (r *row) measure(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, r.binary, "-test.run=^$", "-test.bench=^BenchmarkKeyPairGen$",
		"-test.benchtime=8x", "-test.count=25", "-test.cpu=1", "-field="+r.field)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	fastest := math.Inf(1)
	read := benchfmt.NewReader(bytes.NewReader(out), r.name)
	for read.Scan() {
		if res, is := read.Result().(*benchfmt.Result); is {
			took, _ := res.Value("sec/op")
			fastest = min(fastest, 1e9*took)
			r.reduces, _ = res.Value("reduces/op")
		}
	}
	if math.IsInf(fastest, 1) {
		return errors.Join(result.ErrNoBenchmarks, read.Err())
	}
	r.ns = append(r.ns, fastest)
	return nil
}

// writeMeasured prints the rows with the medians of their times, and the median
// of the ratios to the baseline within each round.
func writeMeasured(out io.Writer, rows []row) error {
	var base []float64
	for _, r := range rows {
		if r.name == baseline {
			base = r.ns
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "setting\tverdict\tproducts\tsquare\treduces/op\tµs/key\trate against %s\n", baseline)
	for _, r := range rows {
		ratios := make([]float64, len(base))
		for i := range ratios {
			ratios[i] = base[i] / r.ns[i]
		}
		verdict, products, square, reduces := "library", "", "", ""
		if n := r.setting.Limbs; n > 0 {
			verdict, products, square, reduces = r.verdict.String(), strconv.Itoa(n*n), strconv.Itoa(n*(n+1)/2), fmt.Sprint(r.reduces)
		}
		fmt.Fprintln(w, strings.Join([]string{
			r.name, verdict, products, square, reduces,
			fmt.Sprintf("%.1f", stats.Median(r.ns)/1000), fmt.Sprintf("%+.1f %%", 100*(stats.Median(ratios)-1)),
		}, "\t"))
	}
	return w.Flush()
}
