package flags

import (
	"flag"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestValuesAtTheirBorders has texts just inside and outside of the values that each
// kind allows.
func TestValuesAtTheirBorders(t *testing.T) {
	check := func(name, allowed string, parse func(string) (any, bool), good map[string]any, bad ...string) {
		for text, want := range good {
			got, ok := parse(text)
			require.True(t, ok, "%s %q", name, text)
			require.Equal(t, want, got, "%s %q", name, text)
		}
		for _, text := range bad {
			_, ok := parse(text)
			require.False(t, ok, "%s %q", name, text)
		}
		require.NotEmpty(t, allowed, name)
	}
	numbers := Numbers(2, 12)
	require.Equal(t, "a number from 2 to 12", numbers.Allowed)
	check("numbers", numbers.Allowed, func(s string) (any, bool) {
		v, ok := numbers.Parse(s)
		return fmt.Sprint(v), ok
	}, map[string]any{"2": "[2]", "12": "[12]"}, "1", "13", "02", "+3", "", "x", "3.0",
		"99999999999999999999")
	least := AtLeast[int64](-3)
	require.Equal(t, "a number of at least -3", least.Allowed)
	check("at least", least.Allowed, func(s string) (any, bool) {
		v, ok := least.Parse(s)
		return fmt.Sprint(v), ok
	}, map[string]any{"-3": "[-3]", "9223372036854775807": "[9223372036854775807]"}, "-4",
		"9223372036854775808", "-0")
	seeds := Seeds()
	check("seeds", seeds.Allowed, func(s string) (any, bool) {
		v, ok := seeds.Parse(s)
		return seeds.Text(v[0]), ok
	}, map[string]any{"0": "0", "18446744073709551615": "18446744073709551615"}, "-1", "18446744073709551616",
		"0x1")
	one := OneOf(4, 8, 16)
	require.Equal(t, "one of 4, 8, 16", one.Allowed)
	check("one of", one.Allowed, func(s string) (any, bool) {
		v, ok := one.Parse(s)
		return fmt.Sprint(v), ok
	}, map[string]any{"4": "[4]", "16": "[16]"}, "5", "")
	names := Names("few", "many")
	require.Equal(t, "one of few, many", names.Allowed)
	check("names", names.Allowed, func(s string) (any, bool) {
		v, ok := names.Parse(s)
		return names.Text(v[0]), ok
	}, map[string]any{"few": "few", "many": "many"}, "", "some")
	text := Text("anything")
	require.Equal(t, "anything", text.Allowed)
	check("files", Files().Allowed, func(s string) (any, bool) {
		v, ok := Files().Parse(s)
		return v[0], ok
	}, map[string]any{"a": "a", " ": " "}, "")
	require.Equal(t, "the name of a file", Files().Allowed)
	patterns := Patterns()
	check("patterns", patterns.Allowed, func(s string) (any, bool) {
		v, ok := patterns.Parse(s)
		return fmt.Sprint(v[0]), ok
	}, map[string]any{"": fmt.Sprint((*regexp.Regexp)(nil)), "a|b": "a|b"}, "(")
	durations := Durations()
	check("durations", durations.Allowed, func(s string) (any, bool) {
		v, ok := durations.Parse(s)
		return durations.Text(v[0]), ok
	}, map[string]any{"1ns": "1ns", "90s": "1m30s"}, "0s", "-1s", "1", "")
	toggle := Switch()
	require.True(t, toggle.Switch)
	check("switch", toggle.Allowed, func(s string) (any, bool) {
		v, ok := toggle.Parse(s)
		return toggle.Text(v[0]), ok
	}, map[string]any{"true": "true", "0": "false"}, "", "yes")
	require.Equal(t, "true or false", toggle.Allowed)

	all, bad, ok := Numbers(1, 99).List("9,8,7,6,5,4,3,2,1,10,9,1, 11 ")
	require.True(t, ok)
	require.Empty(t, bad)
	require.Equal(t, []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 10, 11}, all)
	all, bad, ok = Numbers(1, 99).List("1,2,100,3")
	require.False(t, ok)
	require.Equal(t, "100", bad)
	require.Nil(t, all)
}

// TestManyFlags has more than eight flags, in no order.
func TestManyFlags(t *testing.T) {
	s := &Set{Env: "X_"}
	values := map[string]*int{}
	for _, name := range []string{"h9", "b", "k", "a-b", "z", "c", "y", "d", "x", "e", "w"} {
		values[name] = One(s, name, "5", "usage of "+name, Numbers(0, 9))
	}
	var lines []string
	Lines(s, &lines, "line", "lines", "a line without x", func(l string) bool { return l != "x" })
	require.Equal(t, []string{"a-b", "b", "c", "d", "e", "h9", "k", "line", "w", "x", "y", "z"}, s.Names())
	for i, f := range s.All() {
		require.Equal(t, s.Names()[i], f.Name)
	}
	require.Equal(t, "X_A_B", s.Variable("a-b"))
	require.Empty(t, (&Set{}).Variable("a"))
	require.Nil(t, s.Lookup("none"))
	require.Equal(t, "usage of w", s.Lookup("w").Usage)
	rest, after, err := s.Parse([]string{"one", "-w=1", "--a-b", "2", "-line=p", "two", "-line", "q",
		"-line=r", "-", "", "--", "-w=3", "--"})
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two", "-", ""}, rest)
	require.Equal(t, []string{"-w=3", "--"}, after)
	checked := 0
	s.Check(func() error { checked++; return nil })
	s.Check(func() error { checked++; return fmt.Errorf("check %d", checked) })
	s.Check(func() error { checked = 100; return nil })
	env := map[string]string{"X_W": "7", "X_Y": "8"}
	require.EqualError(t, s.Resolve(func(name string) string { return env[name] }), "check 2")
	require.Equal(t, 2, checked)
	require.Equal(t, []int{1, 2, 8, 5}, []int{*values["w"], *values["a-b"], *values["y"], *values["h9"]})
	require.Equal(t, []string{"p", "q", "r"}, lines)
	for name, want := range map[string]string{"w": "1", "a-b": "2", "y": "8", "h9": "5", "line": "p\nq\nr"} {
		require.Equal(t, want, s.Lookup(name).Text())
		require.Equal(t, name != "h9", s.Lookup(name).Given())
	}
	require.EqualError(t, s.Bad("w", "1", "allowed"), `-w: "1" is not allowed`)
	require.EqualError(t, s.Bad("y", "8", "allowed"), `X_Y: "8" is not allowed`)
	require.EqualError(t, s.Bad("h9", "5", "allowed"), `-h9: "5" is not allowed`)
	require.EqualError(t, s.Bad("none", "5", "allowed"), `-none: "5" is not allowed`)
	s.checks = nil
	_, _, err = s.Parse([]string{"-line", "x"})
	require.NoError(t, err)
	require.EqualError(t, s.Resolve(nil), `-line: "x" is not a line without x`)
	_, _, err = s.Parse([]string{"-w=10"})
	require.NoError(t, err)
	require.EqualError(t, s.Resolve(nil), `-w: "10" is not a number from 0 to 9`)

	for _, c := range []struct {
		args []string
		err  error
	}{
		{[]string{"-h"}, ErrHelp}, {[]string{"--help"}, ErrHelp}, {[]string{"a", "-help"}, ErrHelp},
		{[]string{"-help=x"}, ErrHelp},
		{[]string{"-hh"}, &UnknownError{Name: "hh"}}, {[]string{"---w=1"}, &UnknownError{Name: "-w"}},
		{[]string{"-w"}, &MissingError{"w"}}, {[]string{"-=1"}, &UnknownError{}},
	} {
		rest, after, err := s.Parse(c.args)
		require.Equal(t, c.err, err, "%v", c.args)
		require.Nil(t, rest)
		require.Nil(t, after)
	}
	own := &Set{}
	One(own, "help", "false", "", Switch())
	_, _, err = own.Parse([]string{"-help"})
	require.NoError(t, err, "a flag of the set")
	n := One(own, "n", "1", "", Workers())
	_, _, err = own.Parse([]string{"-n=1..3"})
	require.NoError(t, err)
	require.ErrorContains(t, own.Resolve(nil), `-n: "1..3" is not a number`)
	many := Many(own, "many", "1,2", "", Workers())
	_, _, err = own.Parse([]string{"-n=4", "-many=1,3..5,2"})
	require.NoError(t, err)
	require.NoError(t, own.Resolve(nil))
	require.Equal(t, []int{1, 3, 4, 5, 2}, *many)
	require.Equal(t, 4, *n)

	fs := flag.NewFlagSet("", flag.ContinueOnError)
	s = &Set{Env: "X_"}
	wait := One(s, "wait", "3s", "usage", Durations())
	on := One(s, "on", "false", "switch", Switch())
	s.Bind(fs)
	require.Equal(t, "usage; environment: X_WAIT", fs.Lookup("wait").Usage)
	require.Equal(t, "3s", fs.Lookup("wait").Value.String())
	require.NoError(t, fs.Parse([]string{"-on"}))
	require.NoError(t, s.Resolve(nil))
	require.Equal(t, 3*time.Second, *wait)
	require.True(t, *on)
	require.False(t, s.Lookup("wait").Given())
	fs, s = flag.NewFlagSet("", flag.ContinueOnError), &Set{}
	One(s, "op-timeout", "3s", "", Durations())
	s.Bind(fs)
	require.NoError(t, fs.Parse([]string{"-op_timeout=1s", "-op_timeout=2s"}))
	require.NoError(t, s.Resolve(nil))
	require.Equal(t, "2s", s.Lookup("op-timeout").Text())
	plain := &Set{}
	One(plain, "wait", "3s", "usage", Durations())
	fs = flag.NewFlagSet("", flag.ContinueOnError)
	plain.Bind(fs)
	require.Equal(t, "usage", fs.Lookup("wait").Usage)
	for text, want := range map[string]string{"NumCPU": "[8] true", "NumCPU*2": "[16] true",
		"NumCPU/3": "[2] true", "NumCPU/9": "[1] true", "NumCPU*512": "[4096] true", "NumCPU*513": " false",
		"4096": "[4096] true", "4097": " false", "0": " false", "NumCPU-1": " false", "2..2": "[2] true",
		"3..2": "[] false", "1..x": " false", "x..1": " false"} {
		ns, ok := workers(text, 8)
		if !ok {
			require.Contains(t, want, "false", text)
			continue
		}
		require.Equal(t, want, fmt.Sprint(ns, ok), text)
	}
}
