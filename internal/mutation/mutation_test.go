package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

const code = `package toy

// limit is documented.
const limit = 4

type pile struct{ n int }

func (p *pile) add(n int) bool {
	if n > limit {
		return false
	}
	p.n += n
	return true
}

func (p pile) size() int { return p.n }

func add(n int) int {
	if n > limit {
		return 0
	}
	return n
}
`

func planted(t *testing.T, text string) (string, error) {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "toy.go"), []byte(code), 0o600))
	faults, err := read("file toy.go\n" + text)
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.Equal(t, []string{"./."}, faults[0].tests)
	e, err := faults[0].place(root)
	if err != nil {
		return "", err
	}
	changed, err := e.applied(root)
	return string(changed), err
}

func TestEditsApplyOnce(t *testing.T) {
	for name, c := range map[string]struct{ list, old, new string }{
		"in the file":       {"fault f\n- const limit = 4\n+ const limit = 40\n", "limit = 4\n", "limit = 40\n"},
		"in a method":       {"fault f in pile.add\n- if n > limit {\n+ if false {\n", "\tif n > limit {\n\t\treturn false", "\tif false {\n\t\treturn false"},
		"in a function":     {"fault f in add\n- return 0\n+ return n\n", "return 0", "return n"},
		"in a short method": {"fault f in pile.size\n- return p.n\n+ return 0\n", "{ return p.n }", "{ return 0 }"},
		"several lines":     {"fault f\n- p.n += n\n- return true\n+ return true\n", "\tp.n += n\n\treturn true", "\treturn true"},
		"removal":           {"fault f\n- p.n += n\n", "\tp.n += n\n", "\t\n"},
	} {
		got, err := planted(t, c.list)
		require.NoError(t, err, name)
		require.Equal(t, string(bytes.Replace([]byte(code), []byte(c.old), []byte(c.new), 1)), got, name)
	}
}

func TestEditsThatNoLongerApply(t *testing.T) {
	for name, list := range map[string]string{
		"gone": "fault f\n- no such text\n", "twice": "fault f\n- if n > limit {\n", "no such function": "fault f in remove\n- return 0\n",
		"in another function": "fault f in pile.size\n- const limit = 4\n",
	} {
		_, err := planted(t, list)
		require.Error(t, err, name)
	}
	_, err := read("fault\tf\n")
	require.ErrorContains(t, err, "line 1")
}

func TestShardsAreAllFaults(t *testing.T) {
	all := make([]fault, 10)
	for i := range all {
		all[i].name = string(rune('a' + i))
	}
	seen := map[string]int{}
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		some, err := chosen(all, options{shard: shard})
		require.NoError(t, err)
		for _, f := range some {
			seen[f.name]++
		}
	}
	require.Len(t, seen, len(all))
	for _, shard := range []string{"0/3", "4/3", "x"} {
		_, err := chosen(all, options{shard: shard})
		require.Error(t, err, shard)
	}
	some, err := chosen(all, options{shard: "1/1", run: "^[bc]$"})
	require.NoError(t, err)
	require.Len(t, some, 2)
}

func TestVerdicts(t *testing.T) {
	judged := func(survivors int, explained string) error {
		s := &summary{out: new(bytes.Buffer)}
		for i := range 100 {
			v := verdict{kind: killed}
			if i < survivors {
				v.kind = survived
			}
			s.add(string(rune('A'+i)), v, time.Second)
		}
		return s.judge(explained)
	}
	require.NoError(t, judged(0, ""))
	require.NoError(t, judged(3, "| `A` | … `B` … `C`"))
	require.ErrorContains(t, judged(3, "| `A` | … `B`"), "no table explains: C")
	require.ErrorContains(t, judged(4, "`A` `B` `C` `D`"), "fewer than 97 %")
	s := &summary{out: new(bytes.Buffer)}
	s.add("A", verdict{kind: broken}, 0)
	require.ErrorContains(t, s.judge(""), "do not compile: A")
}
