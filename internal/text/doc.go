// Package text writes numbers, tables and foreign text for people: in a terminal,
// in a file, and in Markdown. There is one function for each form, so that a figure
// looks the same in every command and on every page.
//
// A number keeps its unit on its line, and no function cuts a number.
//
//	number.go    numbers, units, durations, shares and nouns
//	visible.go   foreign text in a terminal and in Markdown
//	wrap.go      lines of a given width
//	table.go     tables of a given width
//	terminal.go  width and colour of a terminal, and a line of progress
package text
