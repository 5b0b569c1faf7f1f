package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
)

// areLoads reports whether all files are results of the load runner, as JSON: the first
// character begins an object. Mixed files are an error.
func areLoads(names ...string) (bool, error) {
	loads := 0
	for _, name := range names {
		f, err := outfile.Open(name)
		if err != nil {
			return false, err
		}
		first, _ := bufio.NewReader(f).Peek(64) // of a shorter file, all of it
		f.Close()
		if bytes.HasPrefix(bytes.TrimLeft(first, " \t\r\n"), []byte("{")) {
			loads++
		}
	}
	if loads > 0 && loads < len(names) {
		return false, fmt.Errorf("%v: some are results of the load runner (JSON) and some are of benchmarks", names)
	}
	return loads > 0, nil
}

// readLoad reads a result of the load runner.
func readLoad(name string) (l gate.Load, err error) {
	b, err := outfile.ReadFile(name)
	if err != nil {
		return l, err
	}
	if l.Name, l.Result, err = render.ReadJSON(bytes.NewReader(b)); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return l, err
}

// mergeLoads writes the results of generators that ran at the same time as one, in JSON.
func mergeLoads(w io.Writer, names []string) error {
	var rs []*runner.Result
	title := ""
	for i, name := range names {
		l, err := readLoad(name)
		if err != nil {
			return err
		}
		if i > 0 && l.Name != title {
			return fmt.Errorf("%s has results of %q, and %s of %q", names[0], title, name, l.Name)
		}
		title = l.Name
		rs = append(rs, l.Result)
	}
	m, err := runner.Merge(rs...)
	if err != nil {
		return err
	}
	return render.Write(w, "json", m, render.Options{Name: title})
}

// compareLoads compares two results of the load runner.
func (c *comparison) compareLoads() (r gate.Report, err error) {
	var sides [2]gate.Load
	for i, name := range []string{c.base, c.head} {
		if sides[i], err = readLoad(name); err != nil {
			return r, err
		}
	}
	base, head := sides[0].Name, sides[1].Name
	sides[1].Name = base // so that they are compared
	r = gate.CompareLoads(c.rules, sides[:1], sides[1:])
	r.Base, r.Head = c.base, c.head
	if base != head {
		r.Notes = append(r.Notes, fmt.Sprintf("BASE is a run of %q, HEAD of %q", base, head))
	}
	return r, nil
}
