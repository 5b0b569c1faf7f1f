package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/drive"
)

// TestRefusedBeforeTheLock: while another measurement has the lock, bad command lines are
// refused with one line and do not say that they wait.
func TestRefusedBeforeTheLock(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command for each line")
	}
	t.Setenv("TMPDIR", t.TempDir())
	unlock, err := drive.Lock(t.Context(), nil)
	require.NoError(t, err)
	defer unlock()
	repository := t.TempDir()
	require.NoError(t,
		os.WriteFile(filepath.Join(repository, "go.mod"), []byte("module example.com/m\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(repository, "nested"), 0o700))
	require.NoError(t,
		os.WriteFile(filepath.Join(repository, "nested", "a.go"), []byte("package nested\n"), 0o600))
	for _, line := range []string{"init -q -b main", "config user.email a@example.com", "config user.name A",
		"add .", "commit -q -m 1"} {
		git := exec.Command("git", strings.Fields(line)...)
		git.Dir = repository
		out, err := git.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	state := "-dir=" + filepath.Join(t.TempDir(), "state")
	const pattern = " is not a regular expression, or several with slashes between them"
	const times = " is not a time or a number of iterations above 0, such as 2s or 100x"
	const tags = " is not a list of build tags, of letters, digits, _ and ."
	cases := map[string]string{}
	for _, c := range [][2]string{
		{"run . -- -bench=(", `run: -bench: "("` + pattern},
		{"run . -- -bench=a/*b", `run: -bench: "a/*b"` + pattern},
		{"run . -- -cpu=1,0", `run: -cpu: "0" is not a number from 1 to 65536`},
		{"run . -- -tags=(", `run: -tags: "("` + tags},
		{"score . -- -tags=a,!b", `score: -tags: "a,!b"` + tags},
		{"gate R@main R@main ./... -- -tags (", `gate: -tags: "("` + tags},
		{"threshold picture -o x.pdf", `threshold picture: -o: "x.pdf" is not a file that ends in .html`},
		{"inside Sender -cache", "inside: -cache does not apply with -what=time, only with instr"},
		{"inside Sender -what=run -o=x.csv",
			"inside: -o does not apply with -what=run, only with steps, heap, flame"},
		{"inside Sender -what=instr -stdin",
			"inside: -stdin does not apply with -what=instr, only with time, steps, heap, flame, run"},
		{"inside Sender -what=flame -scope=all",
			"inside: -scope does not apply with -what=flame, only with heap"},
		{"run ./none...", "run: no package matches ./none..."},
		{"gate . . . ./none...", "gate: .: no package matches ./none..."},
		{"gate R@main R@main nowhere", "gate: R@main: there is no package nowhere"},
		{"gate . . . -- -bench=Absent", "gate: no benchmark was run: no name matches -bench=Absent"},
		{"watch -once -repository=R D . -changes=[",
			`watch: -changes: "[" is not a pattern such as origin/change/*`},
		{"watch -once -repository=R D ./... -- -bench=Absent",
			"watch: no benchmark was run: no name matches -bench=Absent on branch main of R"},
		{"gate R@main R@main ./nested", "gate: no benchmark was run: no name matches -bench=."},
		{"run ./...//", "run: no package matches ./...//: two slashes have no name between them"},
		{"gate R@main . .//nested",
			"gate: R@main: no package matches .//nested: two slashes have no name between them"},
		{"run . -- -gcflags=all=-zz",
			"run: -gcflags: go tool: exit status 2: flag provided but not defined: -zz"},
		{"score . -- -ldflags=-zz",
			"score: -ldflags: go tool: exit status 2: flag provided but not defined: -zz"},
		{"gate R@main R@main . -- -gcflags=-zz",
			"gate: R@main: -gcflags: go tool: exit status 2: flag provided but not defined: -zz"},
		{"watch -once -repository=R D . -- -ldflags=-zz",
			"watch: -ldflags: go tool: exit status 2: flag provided but not defined: -zz on branch main " +
				"of R"},
		{"run . -- -pgo=none", "run: -pgo: stat none: no such file or directory"},
		{"run . -- -test.benchtimes=1x",
			"run: -test.benchtimes cannot be given after --: go test does not have it"},
		{"load http://127.0.0.1:1/ -tls-insecure",
			"load: the flags of TLS have no meaning for a URL with http"},
		{"run . -- -bench=^Absent/x", "run: no benchmark was run: no name matches -bench=^Absent/x"},
		{"run . -- -timeout=-1s", `run: -timeout: "-1s" is not a time such as 10m, or 0 for none`},
		{"run . -- -cpu=99999999", `run: -cpu: "99999999" is not a number from 1 to 65536`},
		{"run . -- -shuffle=on", "run: -shuffle cannot be given after --: zkatbench does not use it"},
		{"run . -- -bench=. extra", `run: "extra" cannot be given after --: it is not a flag`},
		{"run . -- --", `run: "--" cannot be given after --: it is not a flag`},
		{"run . -- -parallel=0", `run: -parallel: "0" is not a number of at least 1`},
		{"run . -- -benchmem=maybe", `run: -benchmem: "maybe" is not true or false`},
		{"gate . . . -goexperiment=strange,simd",
			"gate: go list: exit status 2: go: unknown GOEXPERIMENT strange"},
		{"compare . . . -pgo=off,/none/x", "compare: -pgo: stat /none/x: no such file or directory"},
		{"compare none.txt refused_test.go .",
			`compare: "none.txt" is a revision (no file has this name) and ` +
				`"refused_test.go" a file of results: results can be compared with results only`},
		{"load -diagnose=refused_test.go -- true",
			`load: -diagnose: "refused_test.go" is not a folder, or a name for one`},
		{"load http://127.0.0.1:65536/",
			`load: "http://127.0.0.1:65536/": a port is a number from 1 to 65535`},
		{"load http://127.0.0.1:0/", `load: "http://127.0.0.1:0/": a port is a number from 1 to 65535`},
		{"load http://127.0.0.1:1/ -start=2000-01-01T00:00:00Z",
			`load: -start: "2000-01-01T00:00:00Z" is not a time such as 2026-11-24T12:00:05Z, ` +
				"at most an hour ago"},
		{"load https://127.0.0.1/ -tls-cert=c.pem",
			"load: -tls-cert and -tls-key belong together: name both files"},
		{"watch -once -repository=R D -since=tomorrow ./...",
			`watch: -since: "tomorrow" is neither a revision nor a date such as 2026-01-31: ` +
				`git rev-parse: exit status 1`},
		{"run -before=none . ", "run: -before: open none: no such file or directory"},
		{"score . -before=none", "score: -before: open none: no such file or directory"},
		{"gate -rules=none . . .", "gate: -rules: open none: no such file or directory"},
		{"watch -rules=none .", "watch: -rules: open none: no such file or directory"},
		{"compare R@main R@main ./nopkg", "compare: R@main: there is no folder ./nopkg"},
		{"gate R@main . ./... example.com/m/nopkg", "gate: R@main: there is no folder example.com/m/nopkg"},
		{"run . -- -benchtime=-1s", `run: -benchtime: "-1s"` + times},
		{"compare . . . -- -benchtime=100", `compare: -benchtime: "100"` + times},
		{"gate . . . -- -bench=[", `gate: -bench: "["` + pattern},
		{"score . -- -benchtime=0s", `score: -benchtime: "0s"` + times},
		{"watch -once -repository=R D . -- -bench=(", `watch: -bench: "("` + pattern},
		{"watch -once -repository=R D ./nopkg", "watch: there is no folder ./nopkg on branch main of R"},
		{"watch -once -repository=R D ./... ./none/...",
			"watch: there is no folder ./none/... on branch main of R"},
		{"watch -once -repository=R D -harness=none ./...",
			"watch: there is no folder ./none on branch main of R"},
		{"watch -once -repository=R D -fetch=none ./...", `watch: -fetch: "none" is not a remote of R`},
	} {
		line := strings.NewReplacer("=R", "="+repository, " R@main", " "+repository+"@main", " D ",
			" "+state+" ").Replace(c[0])
		want := strings.NewReplacer(" of R", " of "+repository, " R@", " "+repository+"@").Replace(c[1])
		cases[line] = want + "\n"
	}
	refuses(t, cases)
	require.NoDirExists(t, strings.TrimPrefix(state, "-dir="))
	require.NoFileExists(t, "x.pdf")
}
