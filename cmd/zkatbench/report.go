package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	store "github.com/zkatbench/zkatbench/bench/history"
	page "github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// reportLine makes an HTML page of result files.
func reportLine(s streams) *commandLine {
	l := newLine("report", "[flags] files", "draw results as one HTML page")
	l.help = "Draws results as one self-contained HTML page. Files are in Go benchmark format, JSON of " +
		"the\n" +
		"load runner, or profiles. Two result files that share a case are compared, the first being the " +
		"base;\n" +
		"more of them are shown together."
	var out string
	outputFlag(l, &out, "o", "report.html", ": the page; - for standard output")
	onlyPages(l, &out)
	title := flags.One(&l.flags, "title", "", "", flags.Text("a title"))
	db := flags.One(&l.flags, "db", "", ": to show cases over revisions",
		flags.Text("a file"))
	l.most = many
	l.exec = func(ctx context.Context, files []string) error {
		if len(files) == 0 && *db == "" {
			return fmt.Errorf("name the files, as in zkatbench report results.txt -o report.html")
		}
		in, err := page.Read(files...)
		if err != nil {
			return err
		}
		if *db != "" {
			h, err := store.Open(ctx, *db)
			if err != nil {
				return err
			}
			if err := in.AddTrends(ctx, h); err != nil {
				return err
			}
			if len(in.Trends) == 0 && len(files) > 0 {
				fmt.Fprintf(s.err,
					"zkatbench: report: %s has fewer than two revisions of each case of the files\n", *db)
			}
		}
		in.Title = cmp.Or(*title, in.Title)
		return writePage(out, in, s.out)
	}
	return l
}

// onlyPages refuses a file of -o whose ending is not the ending of a page.
func onlyPages(l *commandLine, file *string) {
	l.flags.Check(func() error {
		if ending := filepath.Ext(*file); ending != "" && ending != asPage {
			return l.flags.Bad("o", *file, "a file that ends in "+asPage)
		}
		return nil
	})
}

// writePage writes a page to a file and says so, or to out if the name is -.
func writePage(name string, in page.Input, out io.Writer) error {
	var html bytes.Buffer
	if err := page.Write(&html, in); err != nil {
		return err
	}
	if name == "-" {
		_, err := out.Write(html.Bytes())
		return err
	}
	if err := outfile.WriteBytes(name, []byte(text.VisibleLines(html.String()))); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "wrote %s (%d KB)\n", name, (html.Len()+999)/1000)
	return err
}
