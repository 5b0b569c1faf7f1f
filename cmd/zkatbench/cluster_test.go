package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/zkatbench/zkatbench/bench/result"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestClusterFiles checks that the files of docs/comparing.md are valid YAML and
// pass each task its shard for zkatbench run.
func TestClusterFiles(t *testing.T) {
	var job struct {
		Kind string
		Spec struct {
			CompletionMode           string `yaml:"completionMode"`
			Completions, Parallelism int
			Template                 struct {
				Spec struct {
					Containers []struct {
						Args []string
						Env  []struct{ Name, Value string }
					}
				}
			}
		}
	}
	load(t, "job.yaml", &job)
	require.Equal(t, "Job", job.Kind)
	require.Equal(t, "Indexed", job.Spec.CompletionMode)
	c := job.Spec.Template.Spec.Containers[0]
	require.Contains(t, c.Args[0], "zkatbench run -shard auto ")
	env := map[string]string{"JOB_COMPLETION_INDEX": "3"} // as Kubernetes sets it
	for _, e := range c.Env {
		env[e.Name] = e.Value
	}
	requireShard(t, result.Shard{Index: 4, Of: job.Spec.Completions}, env)

	var workflow struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix struct{ Shard []int } }
			Steps    []struct {
				Run string
				Env map[string]string
			}
		}
	}
	load(t, "workflow.yml", &workflow)
	found := false
	for _, s := range workflow.Jobs["measure"].Steps {
		if !strings.HasPrefix(s.Run, "zkatbench run -shard auto ") {
			continue
		}
		found = true
		env := map[string]string{}
		for name, value := range s.Env {
			env[name] = strings.NewReplacer("${{ strategy.job-index }}", "1", "${{ strategy.job-total }}",
				"4").Replace(value)
		}
		requireShard(t, result.Shard{Index: 2, Of: len(workflow.Jobs["measure"].Strategy.Matrix.Shard)}, env)
	}
	require.True(t, found)
}

func load(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/cluster", name))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, into))
}

func requireShard(t *testing.T, want result.Shard, env map[string]string) {
	t.Helper()
	got, err := result.ParseShard("auto", func(name string) string { return env[name] })
	require.NoError(t, err)
	require.Equal(t, want, got)
}
