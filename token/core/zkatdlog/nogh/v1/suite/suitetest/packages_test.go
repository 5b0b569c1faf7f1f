package suitetest_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	self = "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
	root = "../../../../../.." // the folder token
)

// go test hands flags such as -bits to every package that it names, and the
// test binary of one that does not know them fails.
func TestEveryTestPackageKnowsTheFlags(t *testing.T) {
	knows := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		dir := filepath.Dir(path)
		knows[dir] = knows[dir] || imports(t, path, self)
		return nil
	}))
	require.NotEmpty(t, knows)
	delete(knows, ".")
	for dir, does := range knows {
		assert.True(t, does, "no test file in %s has: import _ %q", dir, self)
	}
}

// imports reports whether the Go file at path imports pkg. The tests of pkg
// are packages that import it.
func imports(t *testing.T, path, pkg string) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, i := range f.Imports {
		if value, err := strconv.Unquote(i.Path.Value); err == nil && value == pkg {
			return true
		}
	}
	return false
}
