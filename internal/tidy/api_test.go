package tidy_test

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// interfaceLines returns a line for each exported name of ps with its type, and for each
// exported field and method. Names of parameters are left out. A line that is gone is an
// incompatible change, a new line is none.
func interfaceLines(ps []*types.Package) []string {
	lines := map[string]bool{}
	for _, p := range ps {
		qualified := func(other *types.Package) string {
			if other == p {
				return ""
			}
			return strings.TrimPrefix(other.Path(), ourModule)
		}
		text := func(t types.Type) string { return types.TypeString(withoutNames(t), qualified) }
		add := func(format string, args ...any) {
			lines[strings.TrimPrefix(p.Path(), ourModule)+": "+fmt.Sprintf(format, args...)] = true
		}
		for _, name := range p.Scope().Names() {
			object := p.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			declared, isType := object.(*types.TypeName)
			if !isType {
				kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", object), "*types."))
				add("%s %s %s", kind, name, text(object.Type()))
				continue
			}
			named, ok := declared.Type().(*types.Named)
			if !ok || declared.IsAlias() {
				add("type %s = %s", name, text(declared.Type()))
				continue
			}
			switch under := named.Underlying().(type) {
			case *types.Struct:
				add("type %s struct", name)
				for field := range under.Fields() {
					if field.Exported() {
						add("field %s.%s %s", name, field.Name(), text(field.Type()))
					}
				}
			case *types.Interface: // with a new method, other types no longer have all
				methods := []string{}
				for m := range under.Methods() {
					methods = append(methods, m.Name()+strings.TrimPrefix(text(m.Type()), "func"))
				}
				add("type %s interface{ %s }", name, strings.Join(methods, "; "))
			default:
				add("type %s %s", name, text(under))
			}
			for m := range named.Methods() {
				if m.Exported() {
					add("method %s.%s%s", name, m.Name(), strings.TrimPrefix(text(m.Type()), "func"))
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

// withoutNames returns t, or a function type without the names of its parameters if it
// has no type parameters, which belong to one function.
func withoutNames(t types.Type) types.Type {
	f, ok := t.(*types.Signature)
	if !ok || f.TypeParams().Len() > 0 {
		return t
	}
	tuple := func(list *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range list.Variables() {
			vars = append(vars, types.NewParam(0, nil, "", withoutNames(v.Type())))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(f.Params()), tuple(f.Results()), f.Variadic())
}

// linesOf returns the lines of a file that are no comments.
func linesOf(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return slices.DeleteFunc(lines, func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

// TestInterfaceIsKept compares exported names with those of the last release
// (.ci/api.names). A change is a line of .ci/api.announced. With ZKAT_API=announce
// it writes these lines, with ZKAT_API=release the names.
func TestInterfaceIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles all packages")
	}
	const names, announced = "../../.ci/api.names", "../../.ci/api.announced"
	write := func(name, head string, lines []string) {
		require.NoError(t, os.WriteFile(name, []byte(head+"\n"+strings.Join(append(lines, ""), "\n")), 0o600))
	}
	const head = "# Exported names of the last release that have changed or gone since, as .ci/api prints " +
		"them."
	now := interfaceLines(exportedPackages(t))
	require.Greater(t, len(now), 1000)
	for _, line := range now {
		if strings.Contains(line, "internal/") && !strings.Contains(line, " = ") {
			t.Errorf("other modules cannot name a type of %s", line)
		}
	}
	if os.Getenv("ZKAT_API") == "release" {
		write(names, "# Exported names of the last release (.ci/api -release).", now)
		write(announced, head, nil)
	}
	gone := slices.DeleteFunc(linesOf(t, names), func(line string) bool { return slices.Contains(now, line) })
	if os.Getenv("ZKAT_API") == "announce" {
		write(announced, head, gone)
	}
	for _, line := range linesOf(t, announced) {
		if !slices.Contains(gone, line) {
			t.Errorf(".ci/api.announced: this name has not changed since the last release: %s", line)
		}
	}
	for _, line := range gone {
		if !slices.Contains(linesOf(t, announced), line) {
			t.Errorf("gone or changed since the last release, and not in .ci/api.announced: %s", line)
		}
	}
}

// TestInterfaceLines holds the lines to the changes that break other modules.
func TestInterfaceLines(t *testing.T) {
	p := types.NewPackage("example.com/p", "p")
	insert := func(object types.Object) { require.Nil(t, p.Scope().Insert(object)) }
	number := types.Typ[types.Int]
	f := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, p, "n", number)), nil, false)
	insert(types.NewFunc(0, p, "F", f))
	insert(types.NewFunc(0, p, "hidden", f))
	insert(types.NewVar(0, p, "V", number))
	fields := []*types.Var{types.NewField(0, p, "Size", number, false),
		types.NewField(0, p, "own", number, false)}
	named := types.NewNamed(types.NewTypeName(0, p, "T", nil), types.NewStruct(fields, nil), nil)
	named.AddMethod(types.NewFunc(0, p, "M",
		types.NewSignatureType(types.NewParam(0, p, "t", named), nil, nil, nil, nil, false)))
	insert(named.Obj())
	one := types.NewInterfaceType([]*types.Func{types.NewFunc(0, p, "F", f)}, nil)
	insert(types.NewNamed(types.NewTypeName(0, p, "I", nil), one, nil).Obj())
	require.Equal(t, []string{
		"example.com/p: field T.Size int", "example.com/p: func F func(int)", "example.com/p: method T.M()",
		"example.com/p: type I interface{ F(int) }", "example.com/p: type T struct",
		"example.com/p: var V int",
	}, interfaceLines([]*types.Package{p}))
}
