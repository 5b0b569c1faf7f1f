package tidy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program calls every exported function, and every method of every exported
// zero value, and prints a line for each panic.
var program = template.Must(template.New("").Parse(`package main

import (
	"fmt"
	"io"
	"reflect"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
{{range $i, $path := .Paths}}	p{{$i}} "{{$path}}"
{{end}})

var zeros = map[string]reflect.Type{
{{range .Types}}	"{{.Name}}": reflect.TypeFor[{{.Expression}}](),
{{end}}}

var functions = map[string]any{
{{range .Functions}}	"{{.Name}}": {{.Expression}},
{{end}}}

type endless struct{}

func (endless) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// argument returns a zero value, or a value of an interface or function
// that the caller must have.
func argument(t reflect.Type) reflect.Value {
	g, err := curves.ByName("BN254")
	if err != nil {
		panic(err)
	}
	for _, v := range []any{g, endless{}, io.Discard} {
		if t.Kind() == reflect.Interface && t.NumMethod() > 0 && reflect.TypeOf(v).Implements(t) {
			return reflect.ValueOf(v)
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.New(t.Elem())
	case reflect.Func:
		return reflect.MakeFunc(t, func([]reflect.Value) (results []reflect.Value) {
			for i := range t.NumOut() {
				results = append(results, reflect.Zero(t.Out(i)))
			}
			return results
		})
	case reflect.Slice:
		if t == reflect.TypeFor[[]group.Point]() {
			return reflect.ValueOf([]group.Point{g.Generator()})
		}
	}
	return reflect.Zero(t)
}

// opaque reports whether only a constructor can fill values of t.
func opaque(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for f := range t.Fields() {
		if !f.IsExported() {
			return true
		}
	}
	return false
}

// call calls f with zero values, unless f needs an interface that we have no
// value of.
func call(name string, f reflect.Value) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s\t%v\n", name, r)
		}
	}()
	t := f.Type()
	var args []reflect.Value
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			break
		}
		a := argument(t.In(i))
		if a.Kind() == reflect.Interface && a.IsNil() {
			return
		}
		args = append(args, a)
	}
	f.Call(args)
}

// fails reports whether f returns an error.
func fails(f reflect.Type) bool {
	return f.NumOut() > 0 && f.Out(f.NumOut()-1) == reflect.TypeFor[error]()
}

func main() {
	for name, f := range functions {
		if fails(reflect.TypeOf(f)) {
			call(name, reflect.ValueOf(f))
		}
	}
	for name, t := range zeros {
		for _, v := range []reflect.Value{reflect.Zero(t), reflect.New(t)} {
			for i := range v.NumMethod() {
				if fails(v.Method(i).Type()) || !opaque(t) {
					call(name+"."+v.Type().Method(i).Name, v.Method(i))
				}
			}
		}
	}
}
`))

type named struct{ Name, Expression string }

// contents are the types and functions that the program calls.
type contents struct {
	Paths            []string
	Types, Functions []named
}

// add adds the exported types and functions of p without type parameters.
func (c *contents) add(p *types.Package) {
	before := len(c.Types) + len(c.Functions)
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		n := named{p.Path()[len(ourModule):] + "." + name, fmt.Sprintf("p%d.%s", len(c.Paths), name)}
		switch object := object.(type) {
		case *types.TypeName:
			t, ok := types.Unalias(object.Type()).(*types.Named)
			if ok && t.TypeParams().Len() == 0 && !types.IsInterface(t) {
				c.Types = append(c.Types, n)
			}
		case *types.Func:
			if object.Signature().TypeParams().Len() == 0 {
				c.Functions = append(c.Functions, n)
			}
		}
	}
	if len(c.Types)+len(c.Functions) > before {
		c.Paths = append(c.Paths, p.Path())
	}
}

// run compiles and runs the program, which exists in an overlay only, and
// returns its output.
func run(t *testing.T, source []byte) string {
	t.Helper()
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	place, err := filepath.Abs("zeros/main.go")
	require.NoError(t, err)
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{place: file}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, source, 0o600))
	require.NoError(t, os.WriteFile(overlay, replace, 0o600))
	out, err := exec.Command("go", "run", "-ldflags=-s -w", "-overlay="+overlay, "./zeros").CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// TestZeroValues: a function or method that returns an error does not panic on
// zero values, nor does any method of a type that has exported fields alone.
// Methods without an error of types that only a constructor fills may panic, as
// writing to a nil map does.
func TestZeroValues(t *testing.T) {
	var c contents
	for _, p := range exportedPackages(t, trees...) {
		c.add(p)
	}
	var source bytes.Buffer
	require.NoError(t, program.Execute(&source, c))
	for line := range strings.Lines(run(t, source.Bytes())) {
		assert.Fail(t, "panics: "+line)
	}
}
