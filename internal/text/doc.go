// Package text writes numbers, tables and foreign text for people: in a terminal,
// in a file, and in Markdown. There is one function for each form, so that a figure
// looks the same in every command and on every page.
//
// A number keeps its unit on its line, and no function cuts a number.
package text
