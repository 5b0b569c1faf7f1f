// Package result makes, keeps and reads files of benchmark results, for any Go
// benchmark. All files are plain Go benchmark format, which benchstat reads.
//
//	build.go        test binaries, each built once
//	flags.go        flags of go test in the spelling of a test binary
//	cases.go        the benchmarks of a binary, found by running each once
//	probe.go        flags that a binary does not know
//	shard.go        one part of the cases, the same on every machine
//	measure.go      one measurement of the cases of a binary
//	suite.go        repeated measurement of all cases, with progress
//	turns.go        one case on two sides, in turns
//	process.go      the processor time of a process, for benchmarks that record none
//	writer.go       lines of results, each configuration written once
//	revision.go     revisions of git, in temporary worktrees
//	environment.go  the machine and the source, as configuration lines
//	noise.go        properties of the machine that make figures doubtful
//	file.go         a file of complete lines, also after a crash
//	data.go         samples by case and unit, read from files
//	rename.go       cases with other names in an older run
//	score.go        results as scores, as users of the Java Microbenchmark Harness know them
//	scoretable.go   scores as tables
//	ending.go       the last lines of a file, which show that it is whole
//	merge.go        files of shards, joined
//	parts.go        the runs and shards in files that are to be merged
//
// Packages gate and report judge and draw the results.
package result
