package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/scheme/p256/limb"
	"github.com/zkatbench/zkatbench/scheme/p256/limb/proofcheck"
)

const headroomHelp = `Answers whether a prime field may be computed with limbs of this size in signed
64-bit words: does a product overflow if its operands have been added up to -max-adds times before? The
answer is a proof over all programs of products, additions and reductions; or a witness, two field
elements with a wrong product; or unknown.

Exit status: 0 proved safe; 1 witness; 3 unknown. With -check 0 if the proof holds and 1 if not.`

// headroomExit maps verdicts to exit statuses.
var headroomExit = map[limb.Verdict]int{limb.ProvedSafe: 0, limb.HasWitness: negative,
	limb.Unknown: undecided}

// limbFlags are the flags of a setting, and the setting that they make.
type limbFlags struct {
	name    string // of the modulus
	modulus limb.Modulus
	size    limb.Size
	maxAdds int
	passes  limb.Reduction
	budget  time.Duration
	seed    uint64
}

func newLimbFlags(set *flags.Set) *limbFlags {
	f := &limbFlags{}
	flags.Into(set, &f.name, "modulus", "p256", ": "+strings.Join(limb.ModulusNames(), ", "),
		flags.Text("a modulus"))
	set.Check(func() (err error) {
		known := false
		f.modulus, known = limb.NamedModulus(f.name)
		switch {
		case known:
			return nil
		case !strings.Contains(f.name, "^"):
			return set.Bad("modulus", f.name,
				"one of "+strings.Join(limb.ModulusNames(), ", ")+", or terms such as 2^256-2^32-977")
		}
		f.modulus, err = limb.ParseModulus(f.name)
		return ofFlag("modulus", err)
	})
	flags.Into(set, &f.size, "limbs", "29", "", flags.Func(limb.SizeAllowed, limb.ParseSize, nil))
	set.Lookup("limbs").Repeated = true
	flags.Into(set, &f.maxAdds, "max-adds", "0", "", flags.Numbers(0, 32))
	flags.Into(set, &f.passes, "passes", "1", "",
		flags.Func(limb.ReductionAllowed, limb.ParseReduction, nil))
	flags.Into(set, &f.budget, "budget", "5s", ": the search for a witness", flags.Durations())
	flags.Into(set, &f.seed, "seed", "1", ": the search", flags.Seeds())
	return f
}

// setting returns the setting given by the flags.
func (f *limbFlags) setting() (limb.Setting, error) {
	return limb.NewSetting(f.modulus, f.size, f.maxAdds, f.passes)
}

// answer computes the head-room of s.
func (f *limbFlags) answer(ctx context.Context, s limb.Setting) (*limb.Result, error) {
	return limb.HeadroomWithin(ctx, f.budget, s, limb.Search{Seed: f.seed})
}

// headroomLine answers questions about head-room.
func headroomLine(s streams) *commandLine {
	l := newLine("headroom", "[flags]",
		"prove that limbs of a size never overflow, or find operands with a wrong product")
	l.help = headroomHelp
	f, set := newLimbFlags(&l.flags), &l.flags
	operand := flags.One(set, "operand", "decoded", "",
		flags.Names("decoded", "thread"))
	var proof string
	outputFlag(l, &proof, "o", "", ": the proof, as JSON")
	check := flags.One(set, "check", "", "", flags.Text("a file"))
	what := flags.One(set, "what", "setting",
		": the answer for one setting; settings, 10x26, 10x28 and 9x29 with 0 to 5 additions; or sizes, the "+
			"largest proved -max-adds of every limb size from 20 to 31 bits",
		flags.Names("setting", "settings", "sizes"))
	l.exec = func(ctx context.Context, _ []string) error {
		switch {
		case *check != "":
			return checkProof(*check, s.out)
		case *what == "settings":
			return limb.WriteSettings(ctx, s.out, f.modulus, f.budget, limb.Search{Seed: f.seed})
		case *what == "sizes":
			return limb.WriteSizes(ctx, s.out, f.modulus)
		}
		return f.ask(ctx, *operand == "thread", proof, s.out)
	}
	return l
}

// ask answers one question, writes its proof to a file with a name, and returns its exit
// status.
func (f *limbFlags) ask(ctx context.Context, thread bool, file string, out io.Writer) error {
	s, err := f.setting()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, s)
	if thread {
		fmt.Fprintln(out, limb.ReviewThread())
	}
	r, err := f.answer(ctx, s)
	if err != nil {
		return err
	}
	fmt.Fprint(out, r)
	finding := exitError{status: headroomExit[r.Verdict]}
	switch {
	case file == "" && finding.status == 0:
		return nil
	case file == "":
		return finding
	case r.Proof == nil:
		finding.error = fmt.Errorf("%s: not written: the verdict is not a proof", file)
		return finding
	}
	raw, err := r.Proof.Encode()
	if err != nil {
		return err
	}
	return outfile.WriteBytes(file, append(raw, '\n'))
}

// checkProof verifies the proof in a file by the independent checker.
func checkProof(path string, out io.Writer) error {
	raw, err := outfile.ReadFile(path)
	if err != nil {
		return err
	}
	c, err := proofcheck.Check(raw)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
		if json.Valid(raw) {
			err = exitError{negative, err}
		}
		return err
	}
	_, err = fmt.Fprintf(out, "%s: the proof is valid\n", limb.ClaimText(c))
	return err
}
