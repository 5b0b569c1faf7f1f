package tidy_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// action is the part of action.yml that this test uses.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Directory string `yaml:"working-directory"`
			Env       map[string]string
			If, Run   string
		}
	}
}

// exampleModule is a module with two packages: the time of one, and the proof and the
// allocations of the other can get worse.
var exampleModule = map[string]string{
	"go.mod":       "module example.com/two\n\ngo 1.24\n",
	"hash/hash.go": "package hash\n\nconst Rounds = 1000\n",
	"proof/proof.go": "package proof\n\nconst Bytes = 700\n\n" +
		"func Split() []byte { return make([]byte, 64) }\n",
	"bench.rules": "unit proof-B exact\nunit sec/op 50%\n",
	"only.rules":  "unit proof-B exact\nignore .unit:(sec/op OR process-cpu-sec/op OR B/op)\n",
	"hash/h_test.go": "package hash\n\nimport (\n\t\"crypto/sha256\"\n\t\"testing\"\n)\n\nvar sum " +
		"[32]byte\n\nfunc BenchmarkHash(b *testing.B) {\n\tfor b.Loop() {\n\t\tfor range Rounds " +
		"{\n\t\t\tsum = sha256.Sum256(sum[:])\n\t\t}\n\t}\n}\n",
	"proof/p_test.go": "package proof\n\nimport \"testing\"\n\nvar sink []byte\n\nfunc BenchmarkProof(b " +
		"*testing.B) {\n\tfor b.Loop() {\n\t}\n\tb.ReportMetric(Bytes, \"proof-B\")\n}\n\nfunc " +
		"BenchmarkSplit(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink = Split()\n\t}\n}\n",
}

// TestAction runs the steps of action.yml on changes of a throw-away module. Times
// are judged in the nightly size only: four times the work must be found, and the same
// work may be undecided, but not a regression.
func TestAction(t *testing.T) {
	t.Chdir(root)
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir := t.TempDir()
	write(t, dir, exampleModule)
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "config", "user.email", "a@example.com")
	git(t, dir, "config", "user.name", "A")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "base")
	exact := map[string]string{"packages": "./proof", "rules": "only.rules",
		"flags": "-bench=Proof|Split -benchmem -cpu=1 -benchtime=20000x"}
	timed := map[string]string{"rules": "bench.rules",
		"flags": "-bench=Hash -benchmem -cpu=1 -benchtime=0.1s", "budget": "10m"}
	for _, change := range []struct {
		name    string
		file    string
		text    string
		inputs  map[string]string
		exit    int
		summary []string
	}{
		{"comment", "proof/doc.go", "// Package proof has proofs.\npackage proof\n", exact, 0,
			[]string{"### Benchmarks: pass"}},
		{"larger proof and one allocation more", "proof/proof.go",
			"package proof\n\nconst Bytes = 701\n\nvar more *int\n\n" +
				"func Split() []byte { more = new(int); return make([]byte, 64) }\n", exact, 1,
			[]string{"| `proof.Proof` | proof-B | 700 | 701 | +0.14 % |",
				"| `proof.Split` | allocs/op | 1.000 | 2.000 | +100 % |"}},
		{"comment, timed", "hash/doc.go", "// Package hash hashes.\npackage hash\n", timed, 0,
			[]string{"| `hash.Hash` |"}},
		{"slower", "hash/hash.go", "package hash\n\nconst Rounds = 4000\n", timed, 1,
			[]string{"regression (p="}},
	} {
		t.Run(change.name, func(t *testing.T) {
			if change.inputs["budget"] != "" && !nightly.On() {
				t.Skip("judges times: nightly only")
			}
			git(t, dir, "switch", "-q", "-c", strings.NewReplacer(" ", "-", ",", "").Replace(change.name),
				"main")
			write(t, dir, map[string]string{change.file: change.text})
			git(t, dir, "add", "hash", "proof")
			git(t, dir, "commit", "-qm", change.name)
			// kept by go test -artifacts
			inputs := map[string]string{"base": "main", "output": filepath.Join(t.ArtifactDir(), "results")}
			maps.Copy(inputs, change.inputs)
			job := filepath.Join(t.TempDir(), "job.md")
			inputs["comment"] = "true" // without a number of a pull request: a warning
			status, printed := runAction(t, dir, job, inputs)
			t.Log(printed)
			require.Equal(t, change.exit, status)
			require.Contains(t, printed, "::warning title=zkatbench::no comment")
			summary, err := os.ReadFile(job)
			require.NoError(t, err)
			for _, line := range change.summary {
				require.Contains(t, string(summary), line)
			}
			for _, name := range []string{"base.txt", "head.txt", "summary.json", "report.html"} {
				require.FileExists(t, filepath.Join(inputs["output"], name))
			}
		})
	}
}

// runAction runs the steps of action.yml that are commands, as GitHub does, in
// the module at dir. job is the file of the job's summary. Only the step that comments
// has the token in its environment.
func runAction(t *testing.T, dir, job string, inputs map[string]string) (status int, printed string) {
	t.Helper()
	text, err := os.ReadFile("action.yml")
	require.NoError(t, err)
	var a action
	require.NoError(t, yaml.Unmarshal(text, &a))
	here, err := os.Getwd()
	require.NoError(t, err)
	values := map[string]string{"github.action_path": here, "github.event.pull_request.base.sha": "",
		"github.event.pull_request.number": "", "github.token": jobToken}
	for name, input := range a.Inputs {
		t.Run(name, func(t *testing.T) {
			values["inputs."+name] = evaluate(t, input.Default, values)
		})
	}
	for name, value := range inputs {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, a.Inputs, name)
			values["inputs."+name] = value
		})
	}
	for _, step := range a.Runs.Steps {
		always := strings.HasPrefix(step.If, "always() && inputs.comment == 'true'")
		if step.Run == "" || status != 0 && !always {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir = filepath.Join(dir, evaluate(t, step.Directory, values))
		cmd.Env = append(os.Environ(), "GITHUB_STEP_SUMMARY="+job)
		for name, value := range step.Env {
			t.Run(name, func(t *testing.T) {
				value = evaluate(t, value, values)
				require.Equal(t, value == jobToken, name == "GH_TOKEN", "%s of %s", name, step.Run)
				require.True(t, value != jobToken || strings.Contains(step.Run, ".ci/comment"), step.Run)
				cmd.Env = append(cmd.Env, name+"="+value)
			})
		}
		out, err := cmd.CombinedOutput()
		if exit := new(exec.ExitError); !errors.As(err, &exit) {
			require.NoError(t, err)
		}
		printed += string(out)
		status = max(status, cmd.ProcessState.ExitCode())
	}
	return status, printed
}

// jobToken is used as the token of a job.
const jobToken = "the-token-of-the-job"

var expression = regexp.MustCompile(`\$\{\{ *(\S+) *\}\}`)

// evaluate replaces the expressions in a text of action.yml.
func evaluate(t *testing.T, text string, values map[string]string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		value, known := values[name]
		require.True(t, known, "action.yml uses %s", name)
		return value
	})
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		})
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
