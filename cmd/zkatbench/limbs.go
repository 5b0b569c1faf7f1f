package main

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/p256/limb"
)

const generateHelp = `Writes a Go package with straight-line arithmetic of a prime field, for settings
that zkatbench headroom proves safe. Others are refused, unless -unsafe says that the code is for timing
only.`

// limbsLine has the subcommands on generated fields.
func limbsLine(s streams) *commandLine {
	return grouped("limbs", "generate arithmetic of prime fields for limb sizes that are proved safe",
		"Generates arithmetic of prime fields with proved limb sizes.", limbsGenerate(s))
}

// limbsGenerate returns the subcommand generate: its flags, and the work of one call, from the
// proof to the written file.
func limbsGenerate(s streams) *commandLine {
	l := newLine("limbs generate", "[flags]", "write a field as a Go package")
	l.help = generateHelp
	f, set := newLimbFlags(&l.flags), &l.flags
	var out string
	outputFlag(l, &out, "o", "", ": standard output if not given")
	name := flags.One(set, "package", "", "",
		flags.Text("").
			Where("the name of a Go package", func(item string) bool {
				return item == "" || token.IsIdentifier(item)
			}))
	unsafe := flags.One(set, "unsafe", "false", "", flags.Switch())
	l.exec = func(ctx context.Context, _ []string) error {
		setting, err := f.setting()
		if err != nil {
			return err
		}
		r, err := f.answer(ctx, setting)
		if err != nil {
			return err
		}
		*name = cmp.Or(*name, "g"+setting.Name())
		code, err := limb.Generate(limb.Source{Package: *name,
			Command: f.command(setting, *name, *unsafe), Proved: r, Unsafe: *unsafe})
		if err != nil {
			return err
		}
		return writeFile(out, s.out, func(w io.Writer) error { _, err := w.Write(code); return err })
	}
	return l
}

// command is the command line that generates the same package again.
func (f *limbFlags) command(setting limb.Setting, name string, unsafe bool) string {
	var b strings.Builder
	b.WriteString("zkatbench limbs generate")
	if f.name != "p256" {
		fmt.Fprintf(&b, " -modulus=%s", f.name)
	}
	fmt.Fprintf(&b, " -limbs=%s -max-adds=%d -passes=%s", setting.Name(), f.maxAdds, f.passes)
	if unsafe {
		b.WriteString(" -unsafe")
	}
	fmt.Fprintf(&b, " -package=%s", name)
	return b.String()
}
