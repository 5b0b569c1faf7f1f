package tidy_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestInsideTestsSayWhy: a test file inside its package has a comment on its package clause, or
// right above it, that names what cannot be reached from outside. A file export_test.go only gives
// names to tests outside, and a package main cannot be imported.
func TestInsideTestsSayWhy(t *testing.T) {
	for _, f := range folders(t) {
		for _, name := range f.files {
			if !isTest(name) || name == "export_test.go" {
				continue
			}
			file := f.parse(t, name)
			if pkg := file.Name.Name; pkg == "main" || strings.HasSuffix(pkg, "_test") {
				continue
			}
			line := func(at token.Pos) int { return positions.Position(at).Line }
			clause := line(file.Package)
			if !slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool {
				return line(c.Pos()) == clause || line(c.End()) == clause-1
			}) {
				t.Errorf("%s/%s is inside package %s: test through exported names (package %[3]s_test), or "+
					"say on its package clause what cannot be reached so", f.path, name, file.Name.Name)
			}
		}
	}
}
