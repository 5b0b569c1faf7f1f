package main // a program has no exported names

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The folder of package crypto, and the specification.
var (
	assembly      = filepath.Join("..", "..", "..", "..", "..")
	specification = filepath.Join("..", "spec.txt")
)

// certificates lets prove write its certificates.
var certificates = sync.OnceValues(func() (string, error) {
	file, err := os.CreateTemp("", "certificates")
	if err != nil {
		return "", err
	}
	defer os.Remove(file.Name())
	prove := exec.Command("go", "run", "./prove", file.Name())
	prove.Dir = filepath.Join("..", "..")
	if out, err := prove.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	raw, err := os.ReadFile(file.Name())
	return string(raw), err
})

// write writes a file to a folder of the test.
func write(t *testing.T, folder, name, text string) string {
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCertificates checks all kernels, for three numbers of elements or each night for all.
func TestCertificates(t *testing.T) {
	if os.Getenv("ZKAT_NIGHTLY") == "" {
		elements = elements[:3]
	}
	all, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	if err := check(assembly, specification, write(t, t.TempDir(), "certificates", all)); err != nil {
		t.Error(err)
	}
}

// TestRefusals checks one kernel with something changed: laneScale, or the one that is named.
func TestRefusals(t *testing.T) {
	const file = "group/bn254/lanes_amd64.s"
	all, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	text := read(filepath.Join(assembly, file))
	for _, c := range []struct{ name, what, old, new string }{
		{"nothing", "", "", ""},
		{"laneGather", "", "", ""},
		{"laneGather", "spec", "y' = sign*v", "y' = 0 - sign*v"},
		{"laneGather", "spec", "x' = u", "x' = v"},
		{"laneGather", "spec", "clean p-1", "clean p+1"},
		{"laneGather", "text", "VPUNPCKHQDQ  Z3, Z2, Z1", "VPUNPCKLQDQ  Z3, Z2, Z1"},
		{"laneGather", "text", "VSHUFI64X2   $0xdd, Z3, Z2, Z1", "VSHUFI64X2   $0xde, Z3, Z2, Z1"},
		{"laneGather", "text", "VPSLLQ       $0x1c, Z10, Z7", "VPSLLQ       $0x1d, Z10, Z7"},
		{"laneGather", "text", "MOVL         4(BX), R8", "MOVL         8(BX), R8"},
		{"laneGather", "text", "VPTERNLOGQ   $0xca, Z2, Z6, Z11", "VPTERNLOGQ   $0xca, Z6, Z2, Z11"},
		{"laneGather", "text", "VMOVDQU64    Z11, K1, (CX)", "VMOVDQU64    Z11, (CX)"},
		{"laneStore", "", "", ""},
		{"laneStore", "spec", "-> clean p-1", "-> clean p-2"},
		{"laneStore", "spec", "u' = x", "u' = y"},
		{"laneStore", "spec", "factor room*p", "factor 2*room*p"},
		{"laneStore", "text", "VPTERNLOGQ       $0xca, Z5, Z0, Z11", "VPTERNLOGQ       $0xca, Z0, Z5, Z11"},
		{"laneStore", "text", "VPSRAQ           $0x3f, Z9, Z10", "VPSRAQ           $0x3e, Z9, Z10"},
		{"laneStore", "text", "VPSRLQ           $0x04, Z11, Z4", "VPSRLQ           $0x03, Z11, Z4"},
		{"laneStore", "text", "VPSLLQ           $0x24, Z1, Z5", "VPSLLQ           $0x25, Z1, Z5"},
		{"laneStore", "text", "VMOVDQU64        Z6, 64(AX)", "VMOVDQU64        Z6, 56(AX)"},
		{"laneStore", "text", "0x000000000000000f", "0x0000000000000007"},
		{"laneStore", "text", "0xfff73e9278302b90", "0xfff73e9278302ba0"},
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
		{"no certificate", "certificate", `"` + file + ` laneScale"`, `"other"`},
		{"smaller bounds of a number", "certificate", `":[0,`, `":[1,`},
	} {
		t.Run(c.name+" "+c.old, func(t *testing.T) {
			kernel, folder := "laneScale", t.TempDir()
			if strings.HasPrefix(c.name, "lane") {
				kernel = c.name
			}
			changed := func(text, what string) string {
				out := strings.ReplaceAll(text, c.old, c.new)
				if c.what == what && out == text {
					t.Fatal("nothing changed")
				} else if c.what != what {
					return text
				}
				return out
			}
			write(t, folder, file, changed(text, "text"))
			spec := changed(oneKernel(read(specification), kernel, file), "spec")
			err := check(folder, write(t, folder, "spec.txt", spec),
				write(t, folder, "certificates", changed(all, "certificate")))
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
