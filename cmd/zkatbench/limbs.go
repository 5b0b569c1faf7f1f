package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/scheme/p256/limb"
)

const generateHelp = `Writes a Go package with straight-line arithmetic of a prime field, for settings that zkatbench
headroom proves safe. Others are refused, unless -unsafe says that the code is for timing only.`

// limbs is the command with subcommands on generated fields.
func limbs(ctx context.Context, args []string, s streams) error {
	generate := generateFlags{}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	generate.register(fs)
	fs.StringVar(&generate.out, "o", "", "file to write; standard output if empty")
	fs.StringVar(&generate.pkg, "package", "", "name of the package; g9x29 for 9 limbs of 29 bits if empty")
	fs.BoolVar(&generate.unsafe, "unsafe", false, "generate settings that are not proved safe, too, for timing only")
	measure, times := measureFlags{}, flag.NewFlagSet("", flag.ContinueOnError)
	measure.register(times)
	l := commandLine{
		name: "limbs", takes: "generate|measure [flags]", help: "Generates arithmetic of prime fields with proved limb sizes, and measures it.",
		below: []*commandLine{{
			name: "limbs generate", takes: "[flags]", summary: "write a field as a Go package", help: generateHelp, flags: fs,
			exec: func(ctx context.Context, args []string) error {
				if len(args) > 0 {
					return usageError("limbs generate takes flags only, not %s", args[0])
				}
				return generate.run(ctx, s)
			},
		}, {
			name: "limbs measure", takes: "[flags] [SETTING ...]", summary: "measure every limb size that is proved safe",
			help: measureHelp, flags: times,
			exec: func(ctx context.Context, args []string) error {
				if err := noLateFlags("limbs measure", args); err != nil {
					return err
				}
				return measure.run(ctx, args, s)
			},
		}},
		exec: func(context.Context, []string) error {
			return usageError("limbs: which subcommand? generate or measure")
		},
	}
	return l.run(ctx, args, s)
}

// generateFlags are the flags of limbs generate.
type generateFlags struct {
	limbFlags
	out, pkg string
	unsafe   bool
}

func (f *generateFlags) run(ctx context.Context, s streams) error {
	setting, err := f.setting("limbs")
	if err != nil {
		return err
	}
	if f.pkg == "" {
		f.pkg = "g" + setting.Name()
	}
	if !token.IsIdentifier(f.pkg) {
		return usageError("-package: %q is not the name of a Go package", f.pkg)
	}
	r, err := f.answer(ctx, setting)
	if err != nil {
		return err
	}
	code, err := limb.Generate(limb.Source{Package: f.pkg, Command: f.command(), Proved: r, Unsafe: f.unsafe})
	if errors.As(err, new(*limb.UnprovedError)) {
		return usageError("limbs: %w", err)
	}
	if err != nil {
		return fmt.Errorf("zkatbench: limbs: %w", err)
	}
	if f.out == "" {
		_, err = s.out.Write(code)
	} else {
		err = outfile.WriteBytes(f.out, code)
	}
	if err != nil {
		return fmt.Errorf("zkatbench: limbs: %w", err)
	}
	return nil
}

// command is the command line that generates the same package again.
func (f *generateFlags) command() string {
	var b strings.Builder
	b.WriteString("zkatbench limbs generate")
	if f.terms != "" {
		fmt.Fprintf(&b, " -terms=%s", f.terms)
	} else if f.modulus != "p256" {
		fmt.Fprintf(&b, " -modulus=%s", f.modulus)
	}
	fmt.Fprintf(&b, " -bits=%d -limbs=%d -max_adds=%d -passes=%d", f.bits, f.limbs, f.maxAdds, f.passes)
	if f.extraTop {
		b.WriteString(" -extra_top")
	}
	if f.unsafe {
		b.WriteString(" -unsafe")
	}
	fmt.Fprintf(&b, " -package=%s", f.pkg)
	return b.String()
}
