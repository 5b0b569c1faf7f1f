// Package report draws results of any Go benchmark, and of the load runner, as
// a self-contained HTML page: no network, no external script.
//
// Files are classified and read into an Input. Findings and a headline follow from all of it, and
// then the page is written in sections, each with its table: results, changes against a base, runs
// under load, cases over revisions, the inside of an operation.
//
// Package bench/chart draws the pictures. Axes are optional: names without key=value are shown too.
package report
