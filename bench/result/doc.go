// Package result makes, keeps and reads files of benchmark results, for any Go
// benchmark. All files are plain Go benchmark format, which benchstat reads.
//
//	build.go        test binaries, each built once
//	flags.go        flags of go test, as a test binary wants them
//	cases.go        which benchmarks a binary has, by running each once
//	shard.go        one part of these, the same on every machine
//	measure.go      a binary's cases, measured once
//	suite.go        all of them, again and again, with progress
//	turns.go        one case of two sides, in turns
//	tape.go         lines of results, each configuration said once
//	revision.go     revisions of git, in temporary worktrees
//	environment.go  the machine and the source, as configuration lines
//	noise.go        what of it makes figures doubtful
//	file.go         a file that holds whole lines whatever happens
//	data.go         samples by case and unit, read from files
//	merge.go        files of shards, joined
//
// Nothing here judges or draws: packages gate and report do.
package result
