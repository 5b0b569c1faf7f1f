package tidy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestInstall installs the command of the committed revision as users do, from the
// zip of the module alone: go install …/cmd/zkatbench@version, with a module cache
// that is empty.
func TestInstall(t *testing.T) {
	t.Chdir(root)
	if !nightly.On() {
		t.Skip("compiles all dependencies: nightly only")
	}
	const version = "v0.0.1"
	m := module.Version{Path: "github.com/zkatbench/zkatbench", Version: version}
	proxy, bin := t.TempDir(), t.TempDir()
	at := filepath.Join(proxy, m.Path, "@v")
	require.NoError(t, os.MkdirAll(at, 0o755))
	f, err := os.Create(filepath.Join(at, version+".zip"))
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	clone := filepath.Join(t.TempDir(), "clone") // package zip knows no worktrees
	git(t, here, "clone", "-q", "--shared", "--no-checkout", here, clone)
	require.NoError(t, zip.CreateFromVCS(f, m, clone, "HEAD", ""))
	require.NoError(t, f.Close())
	gomod, err := exec.CommandContext(t.Context(), "git", "show", "HEAD:go.mod").Output()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(at, version+".mod"), gomod, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(at, "list"), []byte(version+"\n"), 0o600))
	require.NoError(t,
		os.WriteFile(filepath.Join(at, version+".info"), []byte(`{"Version":"`+version+`"}`), 0o600))

	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	dir, proxies, _ := strings.Cut(strings.TrimSpace(string(cache)), "\n")
	install, modules := exec.CommandContext(t.Context(), "go", "install", m.Path+"/cmd/zkatbench@"+version),
		t.TempDir()
	install.Dir = bin
	install.Env = append(install.Environ(), "GOBIN="+bin, "GOMODCACHE="+modules,
		"GOFLAGS=-modcacherw -trimpath", "GOSUMDB=off", "GOWORK=off",
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(dir)+"/cache/download,"+proxies)
	out, err := install.CombinedOutput()
	require.NoError(t, err, "%s", out)

	require.NoDirExists(t, filepath.Join(modules, m.Path+"@"+version, "peers"),
		"the Rust programs are a module of their own")
	require.NoDirExists(t, filepath.Join(modules, "github.com", "chromedp"), "only tests drive a browser")

	for args, want := range map[string]string{"version": version, "list": "Sender",
		"run -count=1 -nolock " + m.Path + "/runner -- -bench=Record -benchtime=1x": "zkatbench: " +
			version} {
		t.Run(args, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "zkatbench"), strings.Fields(args)...)
			cmd.Dir = here
			out, err = cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Contains(t, string(out), want)
		})
	}
}
