package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/scheme/p256/limb"
	"github.com/zkatbench/zkatbench/scheme/p256/limb/proofcheck"
	"github.com/zkatbench/zkatbench/text"
)

const headroomHelp = `Answers whether a prime field may be computed with limbs of this size in signed 64-bit words: does
a product overflow if its operands have been added up to -max_adds times before? The answer is a
proof over all programs of products, additions and reductions; or a witness, two field elements
with a wrong product; or unknown.

Exit status: 0 proved safe; 1 witness; 3 unknown. With -check 0 if the proof holds and 1 if not.`

// headroomExit maps verdicts to exit statuses.
var headroomExit = map[limb.Verdict]int{limb.ProvedSafe: 0, limb.HasWitness: negative, limb.Unknown: undecided}

// limbFlags are the flags of a setting, and the setting that they make.
type limbFlags struct {
	modulus, terms  *string
	bits, limbs     *int
	maxAdds, passes *int
	extraTop        *bool
	search          *time.Duration
	seed            *uint64
}

func newLimbFlags(set *flags.Set) limbFlags {
	return limbFlags{
		modulus:  flags.One(set, "modulus", "p256", "field: "+strings.Join(limb.ModulusNames(), ", "), flags.Names(limb.ModulusNames()...)),
		terms:    flags.One(set, "terms", "", "any modulus 2^k plus or minus smaller terms instead, such as 2^256-2^32-977", flags.Text("a modulus")),
		bits:     flags.One(set, "bits", "29", "bits of a limb", flags.Numbers(2, 32)),
		limbs:    flags.One(set, "limbs", "0", "number of limbs; 0 is the least that holds the modulus and 4 bits", flags.AtLeast(0)),
		maxAdds:  flags.One(set, "max_adds", "0", "most additions in an operand of a product", flags.Numbers(0, 32)),
		passes:   flags.One(set, "passes", "1", "passes of the final reduction", flags.Numbers(1, 4)),
		extraTop: flags.One(set, "extra_top", "false", "reduce the top limb twice in each pass", flags.Switch()),
		search:   flags.One(set, "search", "5s", "time for the search for a witness", flags.Durations()),
		seed:     flags.One(set, "seed", "1", "seed of the search", flags.Seeds()),
	}
}

// prime returns the modulus given by the flags.
func (f *limbFlags) prime() (limb.Modulus, error) {
	if *f.terms != "" {
		m, err := limb.ParseModulus(*f.terms)
		return m, ofFlag("terms", err)
	}
	m, _ := limb.NamedModulus(*f.modulus)
	return m, nil
}

// setting returns the setting given by the flags.
func (f *limbFlags) setting() (s limb.Setting, err error) {
	m, err := f.prime()
	if err != nil {
		return s, err
	}
	if *f.limbs == 0 {
		*f.limbs = limb.LeastLimbs(m, *f.bits)
	}
	s = limb.Setting{Geometry: limb.Geometry{Modulus: m, Bits: *f.bits, Limbs: *f.limbs, Word: 64}, MaxAdds: *f.maxAdds, Passes: *f.passes, ExtraTop: *f.extraTop}
	return s, s.Validate()
}

// answer computes the head-room of s.
func (f *limbFlags) answer(ctx context.Context, s limb.Setting) (*limb.Result, error) {
	bounded, cancel := context.WithTimeout(ctx, *f.search)
	defer cancel()
	r, err := limb.Headroom(bounded, s, limb.Search{Seed: *f.seed})
	return r, cmp.Or(err, ctx.Err())
}

// headroomLine answers questions about head-room.
func headroomLine(s streams) *commandLine {
	l := newLine("headroom", "[flags]", "prove that limbs of a size never overflow, or find operands with a wrong product")
	l.help = headroomHelp
	f, set := newLimbFlags(&l.flags), &l.flags
	operand := flags.One(set, "operand", "decoded", "decoded, or thread, which also prints the review thread's arithmetic", flags.Names("decoded", "thread"))
	proof := outputFlag(set, "proof", "", "write the proof, as JSON, to this `file`")
	check := flags.One(set, "check", "", "verify the proof in this `file` instead", flags.Text("a file"))
	all := flags.One(set, "all", "false", "print the verdicts of 10x26, 10x28 and 9x29 for 0 to 5 additions", flags.Switch())
	geometries := flags.One(set, "geometries", "false", "print the largest proved -max_adds of every limb size from 20 to 31 bits", flags.Switch())
	l.exec = func(ctx context.Context, _ []string) error {
		switch {
		case *check != "":
			return checkProof(*check, s.out)
		case *all:
			return f.verdicts(ctx, s.out)
		case *geometries:
			return f.table(ctx, s.out)
		}
		return f.ask(ctx, *operand == "thread", *proof, s.out)
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
		if err = fmt.Errorf("%s: %w", path, err); json.Valid(raw) {
			err = exitError{negative, err}
		}
		return err
	}
	p := new(big.Int).Lsh(big.NewInt(1), uint(c.ModulusBits))
	for _, t := range c.Terms {
		p.Sub(p, new(big.Int).Lsh(big.NewInt(t[0]), uint(t[1])))
	}
	_, err = fmt.Fprintf(out, "p = 0x%x: %d limbs of %d bits, words of %d bits, %d passes, %d additions before a product: the proof is valid\n",
		p, c.Limbs, c.Bits, c.Word, c.Passes, c.MaxAdds)
	return err
}

// verdicts prints the table of the three geometries of the review thread.
func (f *limbFlags) verdicts(ctx context.Context, out io.Writer) error {
	t := text.Table{Align: "lrrlrl", Head: []string{"geometry", "passes", "max_adds", "verdict", "margin", "largest or first crossed bound"}}
	for _, g := range []struct{ bits, limbs int }{{26, 10}, {28, 10}, {29, 9}} {
		for passes := 1; passes <= 2; passes++ {
			for adds := range 6 {
				*f.bits, *f.limbs, *f.passes, *f.maxAdds = g.bits, g.limbs, passes, adds
				s, err := f.setting()
				if err != nil {
					return err
				}
				r, err := f.answer(ctx, s)
				if err != nil {
					return err
				}
				margin := ""
				if r.Verdict == limb.ProvedSafe {
					margin = fmt.Sprintf("%.3g", r.Margin(r.Peak.Size))
				}
				t.Rows = append(t.Rows, strings.Split(fmt.Sprintf("%s\t%d\t%d\t%v\t%s\t%s: %v", s.Name(), passes, adds, r.Verdict, margin, r.Peak.Where, r.Peak.Size), "\t"))
			}
		}
	}
	return t.Write(out, text.Width(out))
}

// table prints the proved bound for every limb size.
func (f *limbFlags) table(ctx context.Context, out io.Writer) error {
	m, err := f.prime()
	if err != nil {
		return err
	}
	t := text.Table{Align: "lrrlrr", Head: []string{"geometry", "products", "square", "passes", "max_adds", "margin"}}
	for bits := 20; bits <= 31; bits++ {
		n := limb.LeastLimbs(m, bits)
		for _, passes := range []struct {
			name     string
			passes   int
			extraTop bool
		}{{"1", 1, false}, {"1+top", 1, true}, {"2", 2, false}} {
			g, err := limb.NewGeometry(m, bits, n)
			row := []string{g.Name(), "", "", passes.name, "none", ""}
			if err == nil { // else the size does not fit the modulus
				row[1], row[2] = fmt.Sprint(n*n), fmt.Sprint(n*(n+1)/2)
				best, err := limb.MostAdds(ctx, limb.Setting{Geometry: g, Passes: passes.passes, ExtraTop: passes.extraTop})
				if err == nil {
					row[4], row[5] = fmt.Sprint(best.MaxAdds), fmt.Sprintf("%.3g", best.Margin(best.Peak.Size))
				} else if !errors.Is(err, limb.ErrNotProved) {
					return err
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t.Write(out, text.Width(out))
}
