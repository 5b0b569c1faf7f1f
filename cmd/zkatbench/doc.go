// Command zkatbench measures, compares and judges Go benchmarks, and answers
// questions about the engine that go test does not.
//
//	usage: zkatbench command [flags]; zkatbench command -h lists its flags
//	  run      measure benchmarks into a file, with all that is needed to believe it
//	  compare  compare two revisions, or two result files: yes, no, or cannot tell
//	  gate     fail, by exit status, if compare finds a regression or cannot tell
//	  merge    join result files, such as those of shards
//	  report   draw results as one HTML page
//	  history  keep results over revisions and find changes
//	  list     list the operations that can be measured, by subject
//	  costs    measure what each group operation takes on this machine
//	  ops      count the group operations of the benchmarked operations, and predict their times
//	  mutate   validate random mutants of token requests, none of which may be accepted
//	  vectors  write files of token requests with the verdicts that they should get
//	  selftest audit the load runner on this machine: its cost, its clock, its statistics
//	  verify   verify the requests in a folder of such files, ours or recorded ones
//
// # run
//
//	USAGE
//	  zkatbench run [flags] packages [-- flags of go test]
//
//	Builds the test binary of each package once and measures its benchmarks count times, in rounds.
//	Results are Go benchmark format with the environment as configuration lines; each is
//	in the file when it is finished, and stays there whatever happens.
//
//	FLAGS
//	  -cost file  file of earlier results, or a history, by whose times shards are made equally long
//	  -count 10   results of each case
//	  -o file     file of the results, the standard output if not given
//	  -seed 1     of the order in which packages take turns
//	  -shard i/n  measure part i/n of the cases; auto takes it from Slurm, Kubernetes or GitHub
//
// # compare
//
//	USAGE
//	  zkatbench compare [flags] BASE HEAD [packages] [-- flags of go test]
//
//	BASE and HEAD are git revisions, folders, prebuilt test binaries or result files. What is no
//	file is measured: the base against itself first, then both in turns (A B B A), case by case,
//	until all cases are decided or the budget is spent.
//
//	FLAGS
//	  -all=false     show cases that are the same too
//	  -budget 10m0s  after which nothing more is measured
//	  -count 10      results of each case and side before the first look
//	  -json file     file of a summary in JSON
//	  -md file       file of a summary in Markdown
//	  -mix=false     compare files of different machines all the same
//	  -o folder      folder for the results: base.txt, head.txt, noise1.txt, noise2.txt
//	  -rules file    file of rules for units and cases, see docs/gate.md
//	  -seed 1        of which side begins each turn
//	  -threshold 3%  largest change of noisy units that is none
//
// # gate
//
//	USAGE
//	  zkatbench gate [flags] BASE HEAD [packages] [-- flags of go test]
//
//	BASE and HEAD are git revisions, folders, prebuilt test binaries or result files. What is no
//	file is measured: the base against itself first, then both in turns (A B B A), case by case,
//	until all cases are decided or the budget is spent.
//
//	Exit status: 0 no regression; 1 regression; 2 bad command line, input or tool; 3 cannot tell, or
//	a benchmark is missing, or nothing was compared; 130 interrupted.
//
//	FLAGS
//	  -all=false     show cases that are the same too
//	  -budget 10m0s  after which nothing more is measured
//	  -count 10      results of each case and side before the first look
//	  -json file     file of a summary in JSON
//	  -md file       file of a summary in Markdown
//	  -mix=false     compare files of different machines all the same
//	  -o folder      folder for the results: base.txt, head.txt, noise1.txt, noise2.txt
//	  -rules file    file of rules for units and cases, see docs/gate.md
//	  -seed 1        of which side begins each turn
//	  -threshold 3%  largest change of noisy units that is none
//
// # merge
//
//	USAGE
//	  zkatbench merge [flags] files
//
//	Writes the results of all files as one file. It refuses files that differ in the machine,
//	the Go release or the revision.
//
//	FLAGS
//	  -mix=false  join files of different machines, Go releases or revisions too
//	  -o file     file of all results, the standard output if not given
//
// # report
//
//	USAGE
//	  zkatbench report [flags] files [flags]
//
//	Draws results as one HTML page that needs nothing else. Files are Go benchmark format, or JSON of
//	the load runner. Two of the former that share a case are compared, the first being the base;
//	more of them are shown together.
//
//	FLAGS
//	  -db file        file of a history, whose cases are shown over revisions
//	  -o report.html  file of the page; - is the standard output
//	  -title string   title of the page
//
// # history
//
//	USAGE
//	  zkatbench history add|list|plot -db file …
//
//	Keeps results over revisions in a file, and finds where a level changed.
//
//	SUBCOMMANDS
//	  add   keep result files
//	  list  list runs, or cases
//	  plot  plot cases over revisions
//
// # list
//
//	USAGE
//	  zkatbench list
//
//	Lists the subjects, their operations and the flags that shape each operation. The commands that
//	measure operations, such as ops, take each of them by name.
//
// # costs
//
//	-backend value
//	  implementations of the curve, comma-separated; environment: ZKAT_BACKEND (default native)
//	-costs value
//	  file of the unit costs of this machine; environment: ZKAT_COSTS (default ~/.cache/zkatbench/costs.json)
//	-curves value
//	  curves, comma-separated (under the runner BN254); environment: ZKAT_CURVES (default BN254,BLS12_381_BBS_GURVY,BLS12_381_BBS_GURVY_FAST_RNG)
//	-nolock
//	  do not wait for other measurements on this machine; environment: ZKAT_NOLOCK (default false)
//	-sample value
//	  how long each unit cost is measured; environment: ZKAT_SAMPLE (default 10ms)
//
// # ops
//
//	-backend value
//	  implementations of the curve, comma-separated; environment: ZKAT_BACKEND (default native)
//	-batch value
//	  transfers that VerifyBatch verifies together, comma-separated; environment: ZKAT_BATCH (default 64)
//	-bits value
//	  bit lengths of the range proofs, comma-separated (under the runner 32); environment: ZKAT_BITS (default 32,64)
//	-costs value
//	  file of the unit costs of this machine; environment: ZKAT_COSTS (default ~/.cache/zkatbench/costs.json)
//	-curves value
//	  curves, comma-separated (under the runner BN254); environment: ZKAT_CURVES (default BN254,BLS12_381_BBS_GURVY,BLS12_381_BBS_GURVY_FAST_RNG)
//	-executor value
//	  how the range proofs of one action are scheduled, comma-separated; environment: ZKAT_EXECUTOR (default serial)
//	-format value
//	  text, or bench: counts alone, as Go benchmark format with the phase in the name, for benchstat and zkatbench report; environment: ZKAT_FORMAT (default text)
//	-nolock
//	  do not wait for other measurements on this machine; environment: ZKAT_NOLOCK (default false)
//	-num_inputs value
//	  numbers of inputs of a transfer, comma-separated (under the runner 2); environment: ZKAT_NUM_INPUTS (default 1,2,3)
//	-num_outputs value
//	  numbers of outputs, comma-separated (under the runner 2); environment: ZKAT_NUM_OUTPUTS (default 1,2,3)
//	-op value
//	  operations of one subject, comma-separated; environment: ZKAT_OP (default Sender,VerificationSenderProof,TransferProofGeneration,Issuer,ProofVerificationIssuer,ValidatorTransfer,ValidatorIssue,TransferServiceTransfer,IssueServiceIssue,AuditorServiceCheck)
//	-ops
//	  report counted group operations as well, from a pass that is not timed; environment: ZKAT_OPS (default false)
//	-owner value
//	  who owns the tokens of whole requests, comma-separated; environment: ZKAT_OWNER (default x509)
//	-proof_type value
//	  range-proof systems, comma-separated; environment: ZKAT_PROOF_TYPE (default bulletproof)
//	-sample value
//	  how long each unit cost is measured; environment: ZKAT_SAMPLE (default 10ms)
//	-table_mb value
//	  bounds on the memory of the tables of public generators in MB, comma-separated; 0 is the default of the parameters; environment: ZKAT_TABLE_MB (default 0)
//
// # mutate
//
//	-n value
//	  mutants; environment: ZKAT_N (default 1000000)
//	-seed value
//	  what all mutants follow from; environment: ZKAT_SEED (default 1)
//
// # vectors
//
//	-bits value
//	  bit lengths of the range proofs, comma-separated (under the runner 32); environment: ZKAT_BITS (default 32,64)
//	-curves value
//	  curves, comma-separated (under the runner BN254); environment: ZKAT_CURVES (default BN254,BLS12_381_BBS_GURVY,BLS12_381_BBS_GURVY_FAST_RNG)
//	-n value
//	  requests in each file: transfers, issues, redeems and swaps in turn, over all shapes; environment: ZKAT_N (default 16)
//	-num_inputs value
//	  numbers of inputs of a transfer, comma-separated (under the runner 2); environment: ZKAT_NUM_INPUTS (default 1,2,3)
//	-num_outputs value
//	  numbers of outputs, comma-separated (under the runner 2); environment: ZKAT_NUM_OUTPUTS (default 1,2,3)
//	-out value
//	  folder that the files are written to; it is made if need be; environment: ZKAT_OUT (default vectors)
//	-owner value
//	  who owns the tokens of whole requests, comma-separated; environment: ZKAT_OWNER (default x509)
//	-proof_type value
//	  range-proof systems, comma-separated; environment: ZKAT_PROOF_TYPE (default bulletproof)
//
// # selftest
//
//	-effort value
//	  multiplies how long and how often the checks look; 1 takes some ten seconds; environment: ZKAT_EFFORT (default 1)
//
// # verify
//
//	usage: zkatbench verify [-strict] FOLDER
//	  -strict
//	    refuse what the reference accepts and should not, as validators do by default
package main

//go:generate go test -run TestGodocIsTheHelp -update
