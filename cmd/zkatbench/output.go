package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// The values of -format.
const (
	asText  = "text"
	asBench = "bench"
	asJSON  = "json"
)

// outFiles is a flag that names files to write. A command never replaces one of its inputs, and
// another file only with -f.
type outFiles struct {
	flag  string
	files func() []string
}

// outputFlag declares a flag with the name of a file to write. One that cannot be written
// is refused before the work begins.
func outputFlag(l *commandLine, to *string, name, normal, usage string) {
	names := flags.Text("a file")
	if normal != "" {
		names = flags.Files()
	}
	flags.Into(&l.flags, to, name, normal, usage, names)
	l.writes(name, func() []string { return []string{*to} })
}

// writes says which files a flag makes the command write, and declares -f.
func (l *commandLine) writes(flag string, files func() []string) {
	if l.flags.Lookup("f") == nil {
		flags.Into(&l.flags, &l.overwrite, "f", "false", "", flags.Switch())
	}
	l.outputs = append(l.outputs, outFiles{flag, files})
}

// inFolder returns the files in a folder that match one of the patterns, such as *.svg; none without the
// folder.
func inFolder(folder string, patterns ...string) (names []string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if slices.ContainsFunc(patterns, func(pattern string) bool {
			match, _ := filepath.Match(pattern, e.Name())
			return match
		}) {
			names = append(names, filepath.Join(folder, e.Name()))
		}
	}
	return names
}

// errInput and errTwice report outputs that would replace an input, or each other.
var (
	errInput = errors.New("is an input of this command")
	errTwice = errors.New("is named twice")
)

// checkOutputs refuses files that cannot be written, inputs, and, without -f, existing files. args are the
// arguments of the command, also those after the dashes.
func (l *commandLine) checkOutputs(args []string) error {
	var written []string
	for _, o := range l.outputs {
		for _, name := range o.files() {
			if name == "" || name == "-" {
				continue
			}
			err := outfile.Check(name)
			switch {
			case err != nil:
			case slices.Contains(written, name):
				err = fmt.Errorf("%s %w", name, errTwice)
			case l.reads(name, args):
				err = fmt.Errorf("%s %w", name, errInput)
			case !l.overwrite:
				err = result.Vacant(name)
			}
			if err != nil {
				return ofFlag(o.flag, err)
			}
			written = append(written, name)
		}
	}
	return nil
}

// reads reports whether a file is an argument or the value of a flag other than an output: itself, or after =
// or @ or between commas.
func (l *commandLine) reads(file string, args []string) bool {
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	words := slices.Clone(args)
	for _, f := range l.flags.All() {
		if !slices.ContainsFunc(l.outputs, func(o outFiles) bool { return o.flag == f.Name }) {
			words = append(words, f.Text())
		}
	}
	for _, word := range words {
		_, value, _ := strings.Cut(word, "=")
		parts := append(strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == '@' }), word,
			value)
		if slices.ContainsFunc(parts, func(name string) bool {
			other, err := os.Stat(name)
			return err == nil && os.SameFile(info, other)
		}) {
			return true
		}
	}
	return false
}
