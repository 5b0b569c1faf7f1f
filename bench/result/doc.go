// Package result makes, keeps and reads files of benchmark results, for any Go
// benchmark. All files are plain Go benchmark format, which benchstat reads.
//
//	build.go        test binaries, each built once; revisions of git, in temporary worktrees
//	flags.go        flags of go test in the spelling of a test binary
//	checkedflags.go their values, as every test binary reads them
//	ownflags.go     flags that go test does not have: whether a test binary can define them
//	check.go        packages, flags of the build, and patterns of -bench, before any build
//	shard.go        one part of the cases, the same on every machine
//	measure.go      one process of a binary, its output and its processor time; the benchmarks
//	                that it has, and flags that it does not know
//	suite.go        repeated measurement of all cases, with progress
//	turns.go        one case on two sides, in turns
//	environment.go  the machine and the source, as configuration lines, and reasons to doubt figures
//	file.go         lines of results, and a file that has complete lines also after a crash
//	plain.go        what other tools make of the format, back to plain lines
//	data.go         samples by case and unit, read from files; whether a file is whole
//	rename.go       cases with other names in an older run
//	score.go        results as scores, as users of the Java Microbenchmark Harness know them
//	merge.go        files of shards, joined; shards and runs that are missing or present twice
//
// Packages gate and report judge and draw the results.
package result
