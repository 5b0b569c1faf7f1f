// Package result makes, keeps and reads files of benchmark results, for any Go
// benchmark. All files are plain Go benchmark format, which benchstat reads.
//
// Packages, flags and patterns are checked before any build, and each test
// binary is built once. A Suite measures all cases, with progress, and Block
// one case on two sides in turns. Files have the environment as configuration
// lines and complete lines also after a crash. Data has the samples of files by
// case and unit; Merge joins the files of shards, and Scores shows results as
// the Java Microbenchmark Harness does.
//
// Packages gate and report judge and draw the results.
package result
