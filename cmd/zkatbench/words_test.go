package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// samples are values that flags of a type take, the first of which each takes, and refuse.
var samples = map[string]struct{ good, bad []string }{
	"switch":  {[]string{"true"}, []string{"2"}},
	"number":  {[]string{"2", "29"}, []string{"x", "1m"}},
	"numbers": {[]string{"2", "64"}, []string{"x", "1m"}},
	"time":    {[]string{"5m"}, []string{"x", "7"}},
	"times":   {[]string{"5m"}, []string{"x", "7"}},
	"price":   {[]string{"2"}, []string{"x", "-1"}},
	"share":   {[]string{"3%", "0.5"}, []string{"x"}},
	"i/n":     {[]string{"1/2"}, nil},
}

// TestVocabulary: the flags of all commands and test binaries are words, have the meaning and
// the type of their word, and no word is without a flag, in a command, a test binary or node.
func TestVocabulary(t *testing.T) {
	sets := map[string]*flags.Set{}
	for _, l := range everyLine() {
		sets[l.name] = &l.flags
	}
	for _, s := range subjects {
		set := new(flags.Set)
		s.RegisterLoad(set)
		sets["tests of "+s.Name] = set
	}
	used := map[string]bool{}
	for owner, set := range sets {
		t.Run(owner, func(t *testing.T) {
			for _, f := range set.All() {
				at := slices.IndexFunc(flags.Words, func(w flags.Word) bool {
					return set.Spelled(w.Name) == f.Name
				})
				require.GreaterOrEqual(t, at, 0, "%s: -%s is not in flags.Words", owner, f.Name)
				w := flags.Words[at]
				used[w.Name] = true
				require.True(t, strings.HasPrefix(strings.TrimPrefix(f.Usage, loadMark), w.Meaning),
					"%s: -%s: %s",
					owner, f.Name, f.Usage)
				require.Equal(t, w.Type == "switch", f.Switch, "%s: -%s", owner, f.Name)
				takes := func(text string) bool { _, ok := f.Read(text); return ok }
				s := samples[w.Type]
				require.True(t, len(s.good) == 0 || slices.ContainsFunc(s.good, takes),
					"%s: -%s", owner, f.Name)
				require.False(t, slices.ContainsFunc(s.bad, takes), "%s: -%s", owner, f.Name)
			}
		})
	}
	node, err := os.ReadFile("../../node/main.go")
	require.NoError(t, err)
	for _, w := range flags.Words {
		require.True(t, used[w.Name] || strings.Contains(string(node), `, "`+w.Name+`", `), "nothing has -%s",
			w.Name)
	}
}
