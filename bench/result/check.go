package result

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Check returns an error if go or one of its tools refuses a flag of the build, if a package does not
// exist, or if a pattern matches none. It compiles nothing.
func (s Source) Check(ctx context.Context) error {
	if err := s.CheckFlags(ctx); err != nil {
		return err
	}
	for _, pattern := range s.Packages {
		if err := CheckPattern(pattern); err != nil {
			return err
		}
		one := s
		one.Packages = []string{pattern}
		found, err := one.list(ctx, "-find")
		if err == nil && found == "" {
			err = fmt.Errorf("%w %s", ErrNoPackages, pattern)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// CheckPattern refuses a pattern of packages with an empty element, which go cleans.
func CheckPattern(pattern string) error {
	if strings.Contains(pattern, "//") {
		return fmt.Errorf("%w %s: two slashes have no name between them", ErrNoPackages, pattern)
	}
	return nil
}

// Flags of the compiler and of the linker, in the words of go build.
const (
	compilerFlags = "-gcflags"
	linkerFlags   = "-ldflags"
)

// CheckFlags returns an error if go, its compiler or its linker refuses a flag of the build.
func (s Source) CheckFlags(ctx context.Context) error {
	if len(s.Flags) == 0 {
		return nil
	}
	s.Packages = []string{"unsafe"}
	if _, err := s.list(ctx, "-find"); err != nil {
		return err
	}
	for _, f := range s.Flags {
		name, value, _ := strings.Cut(f, "=")
		program := ""
		switch name {
		case compilerFlags:
			program = "compile"
		case linkerFlags:
			program = "link"
		}
		var err error
		switch {
		case program != "":
			args := slices.Concat([]string{"tool", program}, toolFlags(value), []string{"-V"})
			_, err = tool(ctx, s.Env, s.Dir, "go", args...)
		case name == "-pgo" && value != "auto" && value != "off":
			if !filepath.IsAbs(value) {
				value = filepath.Join(s.Dir, value)
			}
			_, err = os.Stat(value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// quoted matches a flag in the value of -gcflags or -ldflags.
var quoted = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// toolFlags returns the flags in a value of -gcflags or -ldflags, which may begin with a pattern of packages
// and =.
func toolFlags(value string) []string {
	value = strings.TrimSpace(value)
	if !strings.HasPrefix(value, "-") {
		_, value, _ = strings.Cut(value, "=")
	}
	all := quoted.FindAllString(value, -1)
	for i, f := range all {
		if f[0] == '\'' || f[0] == '"' {
			all[i] = f[1 : len(f)-1]
		}
	}
	return all
}

// CheckTests returns an error if the packages have no tests, if no benchmark can match -bench, or if a test
// binary cannot define a flag that go test does not have. It reads sources, and compiles nothing.
func (s Source) CheckTests(ctx context.Context, f Flags) error {
	if strings.Contains(strings.Join(s.Flags, " "), "-overlay") {
		return nil // the files are others
	}
	out, err := s.list(ctx, "-f", "{{range .TestGoFiles}}{{$.Dir}}/{{.}}\n{{end}}"+
		"{{range .XTestGoFiles}}{{$.Dir}}/{{.}}\n{{end}}")
	if err != nil {
		return err
	}
	if out == "" {
		return fmt.Errorf("%w: %s", ErrNoTests, strings.Join(s.Packages, " "))
	}
	var tests [][]byte
	for name := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil // the build says why
		}
		tests = append(tests, text)
	}
	if err := DeclaredIn(tests, f); err != nil {
		return err
	}
	return s.CheckOwn(ctx, f)
}

// declared finds the names of benchmarks in files of tests.
var declared = regexp.MustCompile(`(?m)^func (Benchmark\w*)\(`)

// DeclaredIn returns ErrNoBenchmarks if -bench and -skip can select no benchmark of these files of tests. The
// name of a sub-benchmark is known only if it is a string in the text of its benchmark; a file may have
// the first lines of functions alone.
func DeclaredIn(files [][]byte, f Flags) error {
	skip := ""
	for _, arg := range f.Run {
		if value, is := strings.CutPrefix(arg, "-test.skip="); is {
			skip = value
		}
	}
	skips, skipErr := regexp.Compile(skip)
	if skip == "" || strings.Contains(skip, "/") {
		skipErr = errors.ErrUnsupported // it selects sub-benchmarks
	}
	for _, text := range files {
		var subs map[string]*subnames
		for _, found := range declared.FindAllSubmatch(text, -1) {
			name := string(found[1])
			if f.Bench == "" || skipErr == nil && skips.MatchString(name) {
				continue
			}
			for _, path := range alternatives(f.Bench) {
				if len(path) > 1 && subs == nil {
					subs = subnamesIn(text)
				}
				if matches(path[0], name) && (len(path) == 1 || subs[name].some(path[1])) {
					return nil
				}
			}
		}
	}
	if skip != "" {
		return fmt.Errorf("%w: no name matches -bench=%s -skip=%s", ErrNoBenchmarks, f.Bench, skip)
	}
	return fmt.Errorf("%w: no name matches -bench=%s", ErrNoBenchmarks, f.Bench)
}

// matches reports whether a part of -bench matches a part of a name; one that cannot be read may.
func matches(pattern, name string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(name)
}

// alternatives splits a pattern of -bench as package testing does: outside of brackets at | and then at /.
func alternatives(pattern string) [][]string {
	var all [][]string
	var path []string
	start, square, round := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(0, square-1)
		case square > 0:
		case c == '(':
			round++
		case c == ')':
			round--
		case round == 0 && (c == '/' || c == '|'):
			path = append(path, pattern[start:i])
			start = i + 1
			if c == '|' {
				all, path = append(all, path), nil
			}
		}
	}
	return append(all, append(path, pattern[start:]))
}

// Unmatched returns the alternatives of -bench that match no case.
func Unmatched(keys []Key, bench string) (none []string) {
	for _, path := range alternatives(bench) {
		if !slices.ContainsFunc(keys, func(k Key) bool { return k.matches(path) }) {
			none = append(none, strings.Join(path, "/"))
		}
	}
	return none
}

// matches reports whether an alternative of -bench selects the case.
func (k Key) matches(path []string) bool {
	name, _ := cutProcs(k.String())
	// The end may be a part of the name if GOMAXPROCS is 1.
	for _, whole := range []string{name, k.String()} {
		parts := strings.Split(whole, "/")
		fits := len(parts) >= len(path)
		for i := 0; fits && i < len(path); i++ {
			fits = matches(path[i], parts[i])
		}
		if fits {
			return true
		}
	}
	return false
}

// subnames are the names that a benchmark gives to b.Run.
type subnames struct {
	names []string
	open  bool // there can be others
}

// some reports whether a part of -bench can match one. Without the text of the benchmark it can.
func (s *subnames) some(pattern string) bool {
	return s == nil || s.open || strings.Contains(pattern, "#") ||
		slices.ContainsFunc(s.names, func(name string) bool { return matches(pattern, name) })
}

// subnamesIn returns the names of each benchmark in a file, nil if it cannot be parsed.
func subnamesIn(text []byte) map[string]*subnames {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	all := map[string]*subnames{}
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if is && f.Body != nil && len(f.Type.Params.List) == 1 {
			all[f.Name.Name] = subnamesOf(f)
		}
	}
	return all
}

// subnamesOf returns the names that a function gives to Run of its parameter. They are open if it uses the
// parameter in another way than by its other methods and fields, or computes a name.
func subnamesOf(f *ast.FuncDecl) *subnames {
	var s subnames
	b := ""
	for _, name := range f.Type.Params.List[0].Names {
		b = name.Name
	}
	of := func(e ast.Expr) bool { id, is := e.(*ast.Ident); return is && id.Name == b }
	uses, known := 0, 0
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if of(n) {
				uses++
			}
		case *ast.Field: // of a function within
			for _, name := range n.Names {
				if of(name) {
					known++
				}
			}
		case *ast.SelectorExpr:
			if of(n.X) && n.Sel.Name != "Run" {
				known++
			}
		case *ast.CallExpr:
			run, is := n.Fun.(*ast.SelectorExpr)
			if !is || !of(run.X) || run.Sel.Name != "Run" || len(n.Args) != 2 {
				break
			}
			if literal, is := n.Args[0].(*ast.BasicLit); is {
				name, err := strconv.Unquote(literal.Value)
				s.open = s.open || err != nil || strings.ContainsAny(name, "/#")
				s.names = append(s.names, strings.ReplaceAll(name, " ", "_"))
				known++
			}
		}
		return true
	})
	s.open = s.open || uses > known
	return &s
}
