package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The folder of package crypto, and the specification.
var (
	assembly      = filepath.Join("..", "..", "..", "..", "..")
	specification = filepath.Join("..", "spec.txt")
)

// certificates lets prove write its certificates.
func certificates(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "certificates")
	prove := exec.Command("go", "run", "./prove", path)
	prove.Dir = filepath.Join("..", "..")
	if out, err := prove.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestCertificates checks all kernels, for three numbers of elements or each night for all.
func TestCertificates(t *testing.T) {
	if os.Getenv("ZKAT_NIGHTLY") == "" {
		elements = elements[:3]
	}
	if err := check(assembly, specification, certificates(t)); err != nil {
		t.Error(err)
	}
}

// TestRefusals checks one kernel with something changed.
func TestRefusals(t *testing.T) {
	const kernel, file = "laneScale", "group/bn254/lanes_amd64.s"
	all := certificates(t)
	spec, text := oneKernel(read(specification), kernel, file), read(filepath.Join(assembly, file))
	for _, c := range []struct{ name, what, old, new string }{
		{"nothing", "", "", ""},
		{"a sign of the specification", "spec", "ax' = ax*d", "ax' = 0 - ax*d"},
		{"a smaller bound afterwards", "spec", "-> clean room*p", "-> clean p"},
		{"a larger operand", "spec", "fixed clean p-1", "fixed clean 16*p"},
		{"an operand that is read only", "spec", " -> clean room*p", ""},
		{"a multiply-add less", "text", "\tVPMADD52LUQ Z10, Z11, Z5\n", ""},
		{"the other half", "text", "\tVPMADD52LUQ Z10, Z11, Z5\n", "\tVPMADD52HUQ Z10, Z11, Z5\n"},
		{"a shift by one more", "text", "$0x34, Z5, Z11", "$0x35, Z5, Z11"},
		{"a constant", "text", "0x000e15f4ea250777", "0x000e15f4ea250778"},
		{"no VZEROUPPER", "text", "VZEROUPPER", "PCALIGN $0x40"},
		{"a register of Go", "text", "MOVQ    48(DI), SI", "MOVQ    48(DI), BP"},
		{"an unknown instruction", "text", "VPMADD52LUQ Z10, Z11, Z5", "VPMULUDQ Z10, Z11, Z5"},
		{"no certificate", "certificate", `"` + file + " " + kernel + `"`, `"other"`},
		{"smaller bounds of a number", "certificate", `":[0,`, `":[1,`},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			write := func(name, text, what string) string {
				path := filepath.Join(folder, name)
				changed := text
				if c.what == what {
					changed = strings.Replace(text, c.old, c.new, -1)
				}
				if c.what == what && changed == text {
					t.Fatalf("nothing changed in %s", name)
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
					t.Fatal(err)
				}
				return path
			}
			write(file, text, "text")
			err := check(folder, write("spec.txt", spec, "spec"),
				write("certificates", read(all), "certificate"))
			if (err == nil) != (c.what == "") {
				t.Error(err)
			}
		})
	}
}

// oneKernel returns the part of a specification for one kernel of one file.
func oneKernel(spec, name, file string) string {
	head, _, _ := strings.Cut(spec, "\nkernel ")
	_, rest, _ := strings.Cut(spec, "\nkernel "+name+" ")
	_, rest, _ = strings.Cut(rest, "\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	return head + "\nkernel " + name + " " + file + "\n" + rest + "\n"
}
