package main

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/p256/limb"
)

const generateHelp = `Writes a Go package with straight-line arithmetic of a prime field, for settings that zkatbench
headroom proves safe. Others are refused, unless -unsafe says that the code is for timing only.`

// limbsLine has the subcommands on generated fields.
func limbsLine(s streams) *commandLine {
	return grouped("limbs", "generate arithmetic of prime fields for limb sizes that are proved safe",
		"Generates arithmetic of prime fields with proved limb sizes.", limbsGenerate(s))
}

// generateFlags are the flags of limbs generate.
type generateFlags struct {
	limbFlags
	out, pkg *string
	unsafe   *bool
}

func limbsGenerate(s streams) *commandLine {
	l := newLine("limbs generate", "[flags]", "write a field as a Go package")
	l.help = generateHelp
	f := generateFlags{
		limbFlags: newLimbFlags(&l.flags),
		out:       outputFlag(&l.flags, "o", "", "`file` to write; standard output if not given"),
		pkg: flags.One(&l.flags, "package", "", "name of the package; g9x29 for 9 limbs of 29 bits if empty", flags.Values[string]{
			Allowed: "the name of a Go package",
			Parse:   func(item string) ([]string, bool) { return []string{item}, item == "" || token.IsIdentifier(item) },
			Text:    func(s string) string { return s },
		}),
		unsafe: flags.One(&l.flags, "unsafe", "false", "generate settings that are not proved safe, too, for timing only", flags.Switch()),
	}
	l.exec = func(ctx context.Context, _ []string) error { return f.run(ctx, s) }
	return l
}

func (f *generateFlags) run(ctx context.Context, s streams) error {
	setting, err := f.setting()
	if err != nil {
		return err
	}
	if *f.pkg == "" {
		*f.pkg = "g" + setting.Name()
	}
	r, err := f.answer(ctx, setting)
	if err != nil {
		return err
	}
	code, err := limb.Generate(limb.Source{Package: *f.pkg, Command: f.command(), Proved: r, Unsafe: *f.unsafe})
	if err != nil {
		return err
	}
	return writeFile(*f.out, s.out, func(w io.Writer) error { _, err := w.Write(code); return err })
}

// command is the command line that generates the same package again.
func (f *generateFlags) command() string {
	var b strings.Builder
	b.WriteString("zkatbench limbs generate")
	if *f.terms != "" {
		fmt.Fprintf(&b, " -terms=%s", *f.terms)
	} else if *f.modulus != "p256" {
		fmt.Fprintf(&b, " -modulus=%s", *f.modulus)
	}
	fmt.Fprintf(&b, " -bits=%d -limbs=%d -max_adds=%d -passes=%d", *f.bits, *f.limbs, *f.maxAdds, *f.passes)
	if *f.extraTop {
		b.WriteString(" -extra_top")
	}
	if *f.unsafe {
		b.WriteString(" -unsafe")
	}
	fmt.Fprintf(&b, " -package=%s", *f.pkg)
	return b.String()
}
