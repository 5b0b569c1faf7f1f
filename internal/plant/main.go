// Command plant makes a named change in files, which a check must then refuse (.ci/proof):
//
//	plant TABLE              prints name, file, place and message of each change
//	plant TABLE NAME FOLDER  changes the files of a folder, and prints file and line
//
// A row of a table has four or six fields, separated by tabs: the name, the file, a text that
// occurs once in the file, the new text, and where and with which message the check must
// fail. Rows with one name are one change, made in their order. In a text, \n stands for a
// new line. The new text "emptied" makes True of the theorems that stand for the old text.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// row is a replacement in one file.
type row struct{ name, file, old, text, where, message string }

func main() {
	log.SetFlags(0)
	log.SetPrefix("plant: ")
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run lists the changes, or makes one.
func run(args []string, out io.Writer) error {
	if len(args) != 1 && len(args) != 3 {
		return errors.New("arguments: TABLE [NAME FOLDER]")
	}
	rows, err := read(args[0])
	if err != nil {
		return err
	}
	found := false
	for _, r := range rows {
		switch {
		case len(args) == 1 && r.where != "":
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", r.name, r.file, r.where, r.message)
		case len(args) == 3 && r.name == args[1]:
			found = true
			if err := r.plant(args[2], out); err != nil {
				return err
			}
		}
	}
	if len(args) == 3 && !found {
		return fmt.Errorf("%s has no change %q", args[0], args[1])
	}
	return nil
}

// read returns the rows of a table, one for each theorem that is emptied.
func read(table string) (rows []row, err error) {
	text, err := os.ReadFile(table)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n"), "\t")
		if len(f) == 4 {
			f = append(f, "", "")
		}
		if len(f) != 6 {
			return nil, fmt.Errorf("%s: %q has %d fields", table, line, len(f))
		}
		r := row{name: f[0], file: f[1], old: f[2], text: f[3], where: f[4], message: f[5]}
		if r.text != "emptied" {
			rows = append(rows, r)
			continue
		}
		for _, theorem := range strings.Fields(f[2]) {
			r.old = "Theorem " + theorem + " "
			r.text = r.old + ": True. Proof. by []. Qed.\nLemma before_" + theorem + " "
			rows = append(rows, r)
			r.where = "" // the change is listed once
		}
	}
	return rows, nil
}

// plant changes the file in a folder, and prints the place.
func (r row) plant(folder string, out io.Writer) error {
	path := filepath.Join(folder, r.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, line, err := r.change(string(text))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s:%d: %q -> %q\n", r.name, r.file, line, r.old, r.text)
	return os.WriteFile(path, []byte(changed), 0o666)
}

// change replaces the old text, which must occur once, and returns its line.
func (r row) change(text string) (changed string, line int, err error) {
	if n := strings.Count(text, r.old); n != 1 {
		return "", 0, fmt.Errorf("%s: %s has %q %d times, not once", r.name, r.file, r.old, n)
	}
	before, after, _ := strings.Cut(text, r.old)
	return before + r.text + after, 1 + strings.Count(before, "\n"), nil
}
