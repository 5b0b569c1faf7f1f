package flags

import (
	"slices"
	"strings"
)

// Word is the name of a flag with its one meaning. All programs of this module take their
// flags from Words, so that a flag of one program means the same in every other.
type Word struct {
	// Name has hyphens between its parts.
	Name string
	// Type says what a value looks like: switch, number, numbers, time, file and so on.
	Type string
	// Meaning is a phrase that a program can complete: "number of repetitions".
	Meaning string
}

// Words are the flags of all programs of this module, by name. The names with an underscore,
// and msglen and nolock, are older than the table and known from other projects.
var Words = []Word{
	{"all", "switch", "also show what is the same"},
	{"allow", "names", "also accept results"},
	{"allow-unsound-v1-bulletproofs", "switch", "accept v1 Bulletproofs, for measurement and " +
		"interoperation only"},
	{"arrival", "text", "arrival process of -rate"},
	{"arrivals", "file", "measured arrivals: seconds, one a line"},
	{"ascii", "switch", "print ASCII only"},
	{"audited", "switch", "an auditor signs each request"},
	{"backend", "names", "implementations of the curve"},
	{"bandwidth", "number", "bits a second of each link, such as 100M; 0 is unlimited"},
	{"batch", "numbers", "requests or signatures that are checked together"},
	{"before", "file", "earlier results"},
	{"bits", "numbers", "bit lengths of the range proofs"},
	{"block", "number", "requests that arrive together"},
	{"body", "text", "body of the requests; @file reads it from a file"},
	{"branch", "name", "branch to follow, such as origin/main"},
	{"budget", "time", "time for the work"},
	{"burst", "number", "index of dispersion of the arrivals; 1: Poisson"},
	{"cache", "switch", "of instr: simulate caches of a fixed size, and estimate cycles"},
	{"case", "names", "protocols and phases of threshold signatures"},
	{"changes", "pattern", "other branches, each compared with the point where it left this one"},
	{"check", "file", "verify the proof in this file instead"},
	{"clock", "name", "clock of the figures: cpu, processor time, which other programs do not change, " +
		"or wall, wall time"},
	{"codec", "names", "encodings of messages; near writes as MessagePack does"},
	{"collapse", "switch", "of steps: add up steps that differ in numbers only: round-*"},
	{"connections", "number", "connections at the same time, a quarter of them of one address; more wait"},
	{"consensus", "number", "validators that agree on blocks of requests, until which clients wait"},
	{"coordinator", "numbers", "the party that collects signature shares"},
	{"copies", "number", "copies of the ledger"},
	{"core-hour", "price", "price of a core for an hour"},
	{"cores", "number", "cores of one node"},
	{"costs", "file", "unit costs of this machine"},
	{"count", "number", "number of repetitions"},
	{"curves", "names", "curves"},
	{"db", "file", "history of results"},
	{"diagnose", "folder", "after measuring, profile and trace in a separate pass and write the files " +
		"to this folder"},
	{"dir", "folder", "folder in which the program keeps its state"},
	{"draws", "number", "simulated runs with random delays, of which -jitter shows quantiles"},
	{"duration", "time", "time of a measurement"},
	{"emit", "switch", "of run: write the inputs of all records instead of working"},
	{"endorsers", "number", "endorsers that validate each request"},
	{"every", "number", "measure every n-th revision, and revisions between two that differ"},
	{"executor", "names", "executors of the range proofs of one action"},
	{"f", "switch", "overwrite existing files"},
	{"fetch", "remote", "remote to fetch from before looking for new revisions"},
	{"field", "names", "field arithmetic of P-256"},
	{"follow", "version", "version of the reference whose rules apply"},
	{"forks", "number", "processes for each case, one after the other"},
	{"format", "name", "format of the output"},
	{"gb-month", "price", "price of a gigabyte for a month"},
	{"generator", "i/n", "make this part of the starts of -rate"},
	{"go", "values", "releases of Go for BASE and HEAD, such as go1.26.8,go1.27.1"},
	{"goamd64", "values", "levels of x86-64 for BASE and HEAD, such as v1,v3; a third value is " +
		"compared with the first too"},
	{"goexperiment", "values", "experiments of the Go runtime and compiler for BASE and HEAD, such as " +
		"nosimd,simd"},
	{"gogc", "values", "GOGC of BASE and HEAD, such as 100,400"},
	{"harness", "folders", "folders with code of the benchmarks besides the test files"},
	{"header", "header", "header of the requests, such as 'Content-Type: application/json'; may be repeated"},
	{"heap-every", "number", "of heap: bytes allocated between two looks at the heap"},
	{"home", "folder", "run the validator of this home, with the layout of CometBFT"},
	{"hosts", "file", "machines to measure on, over ssh (docs/comparing.md)"},
	{"idle", "time", "end connections and streams without requests after this time"},
	{"inputs", "names", "reuse cycles through prepared inputs; fresh decodes them again for each " +
		"operation, outside the timer; decode does so inside the timer"},
	{"jitter", "text", "distribution of random delays of messages, such as exponential:10ms"},
	{"key", "names", "prepared makes line coefficients and window tables of the public key beforehand, " +
		"outside the timer"},
	{"last", "number", "revisions in which a change is noticed; older changes are accepted"},
	{"latency", "times", "latencies of the network"},
	{"layouts", "number", "random orders of the functions in each binary; 1: the order of the linker"},
	{"limbs", "NxBITS", "number and bits of the limbs, such as 9x29; 29: as many as the modulus and 4 " +
		"bits need"},
	{"linger", "time", "longest time to collect a batch"},
	{"listen", "address", "serve gRPC at this address, such as localhost:7050; without it, show the " +
		"throughput of this machine"},
	{"make-homes", "folder", "write the homes of a network for trials to this new folder; the keys of " +
		"its payments are known to all"},
	{"make-params", "file", "write the parameters of a network for trials to this file; its keys are " +
		"known to all"},
	{"map", "new=old[,...]", "other names before: new=old[,...], by whole names or beginnings; @file " +
		"has a line NEW OLD for each"},
	{"max-adds", "number", "most additions in an operand of a product"},
	{"max-malicious", "numbers", "maximum numbers of malicious parties; 1..30 is a range"},
	{"messages", "numbers", "numbers of messages in a signature"},
	{"method", "name", "method of the requests to a URL; empty: GET, or POST with -body"},
	{"metrics", "address", "serve OpenMetrics at this address, path /metrics"},
	{"mix", "shares", "shares of actions, in shapes such as transfer:4x2"},
	{"mode", "names", "naive runs all parties, replay one of them against a recording of the others"},
	{"modulus", "prime", "prime field, or 2^k plus or minus smaller terms, such as 2^256-2^32-977"},
	{"msglen", "numbers", "bytes of the signed message"},
	{"network", "file", "settings in YAML, which flags override"},
	{"nolock", "switch", "do not wait for other measurements on this machine"},
	{"num_inputs", "numbers", "numbers of inputs of a transfer"},
	{"num_outputs", "numbers", "numbers of outputs"},
	{"o", "file", "file to write"},
	{"of", "number", "endorsers of the network"},
	{"once", "switch", "end when nothing is left to measure"},
	{"only", "text", "measure only names that contain this text, such as library=gnark"},
	{"op", "names", "operations of one subject"},
	{"op-timeout", "time", "an operation that takes longer has failed; 0: none"},
	{"operand", "name", "decoded, or thread, which also prints the review thread's arithmetic"},
	{"operations", "number", "end the window after this many operations, and start no more than these " +
		"(without a warm-up, unless -warmup is given); 0: no limit"},
	{"ops", "switch", "report counted group operations as well, from a pass that is not timed"},
	{"owner", "names", "kinds of owners in whole requests; hashed-… need protocol v2"},
	{"p99", "time", "time that a client may wait for validation at peak"},
	{"package", "name", "name of the package; g9x29 for 9 limbs of 29 bits if empty"},
	{"params", "file", "public parameters of the network (needed with -listen)"},
	{"parties", "number", "number of parties; 0 is the number that the case needs"},
	{"party", "names", "the real party of a replay: coordinator, a number, or all, one after the other"},
	{"passes", "number", "passes of the final reduction; 1+top reduces the top limb twice in a pass"},
	{"pause", "time", "time before looking for new revisions again"},
	{"peak", "number", "requests a second in the busiest minute; default -rate"},
	{"peer-time", "name", "time of simulated peers in a round: zero, same as the real party, or as recorded"},
	{"pgo", "values", "profiles for the compiler of BASE and HEAD, such as off,cpu.pprof"},
	{"pin", "processors", "processors to which measured processes are bound, such as 3 or 2-5, or " +
		"auto; nothing else of this command runs there, nor on the other sides of their cores (Linux)"},
	{"pool", "numbers", "presignatures that the pool of a signing service holds"},
	{"precision", "share", "end the window when the half width of the interval is at most 1% of the " +
		"mean, or p99:5%; empty: no limit"},
	{"presentations", "names", "presentations of Idemix owners; same: all inputs show one, and " +
		"validators remember verified presentations and X.509 owners"},
	{"profile", "switch", "write profiles"},
	{"proof_type", "names", "range-proof systems; 1 or bf is bulletproof, 2 is csp"},
	{"protocol", "names", "protocols; v2 has one proof for a whole action and ignores the range-proof " +
		"system"},
	{"prove", "switch", "test whether the answers of the command hold"},
	{"purity", "switch", "examine each case before it is timed: report first/steady, the time of the " +
		"first use over the time of later uses, and all reasons to doubt the figures"},
	{"queue", "number", "requests that wait for a block; more are refused"},
	{"rate", "number", "operations or requests a second"},
	{"refill", "numbers", "presignatures that a signing service makes at the same time"},
	{"repository", "folder", "folder of the module in the clone"},
	{"requests", "file", "requests, sent in turn: a JSON object a line with method, url (relative to " +
		"URL), headers and body"},
	{"require", "text", "requirements, such as p99<2ms,errors<0.1%,throughput>400; a broken one fails " +
		"the run, and so does one that the run cannot decide"},
	{"reserve", "bytes", "free bytes on the disk below which requests are refused"},
	{"retention", "time", "time to keep the ledger"},
	{"revision", "revision", "revision of the results, if the files do not state it"},
	{"rules", "file", "rules for units and cases, see docs/comparing.md"},
	{"scheme", "names", "schemes of a signing service; triples of ot come from a dealer"},
	{"scope", "name", "of heap: memory that is measured: of the work, or of preparation too (all)"},
	{"seed", "number", "seed of random choices"},
	{"send", "address", "make payments in the network of -make-params, and send them to the server at " +
		"this address"},
	{"setup_samples", "number", "prepared environments that a benchmark cycles through; 0 makes a " +
		"fresh one for each operation, outside the timer"},
	{"shard", "i/n", "measure this part of the cases; auto takes it from Slurm, Kubernetes or GitHub"},
	{"shift-seed", "switch", "a fault: the party draws its randomness from another place; parties that " +
		"draw none say so"},
	{"since", "revision", "first revision to measure, or a date; the last revision if not given"},
	{"skip", "pattern", "cases to leave out"},
	{"skip-missing", "switch", "of instr: end with status 0 if Valgrind is not installed"},
	{"stall", "time", "end the run when no operation finishes for this long; 0: 30s"},
	{"start", "date", "time at which the warm-up begins"},
	{"stdin", "switch", "read the inputs of all records from standard input"},
	{"steady", "switch", "warm up until the latency is steady, -warmup at most (0: -duration, at most 10s)"},
	{"strict", "switch", "end with status 3 if any comparison has no verdict"},
	{"table-mb", "numbers", "bounds on the memory of the tables of public generators in MB; 0 is the " +
		"default of the parameters"},
	{"threshold", "share", "largest change of noisy units that does not count"},
	{"timed-as-one", "number", "number of operations timed as one; 0: by the resolution of the clock"},
	{"title", "text", "title of the page"},
	{"tls-ca", "file", "certificates (PEM) one of which must have signed the certificate of the other side"},
	{"tls-cert", "file", "certificate (PEM) to show to the other side"},
	{"tls-insecure", "switch", "accept the other side without a certificate that proves who it is"},
	{"tls-key", "file", "private key of -tls-cert (PEM)"},
	{"unchecked", "switch", "take data although its check fails or was left out"},
	{"unit", "name", "unit of the figures"},
	{"unsafe", "switch", "generate settings that are not proved safe, too, for timing only"},
	{"utilisation", "share", "highest share of a core's time at peak"},
	{"v", "switch", "print more"},
	{"validators", "number", "validators of a network on this machine, loaded with payments"},
	{"verify", "names", "product verifies by one product of pairings, plain by two pairings"},
	{"warmup", "time", "warm-up before the window; 0: a tenth of it, at most 1s; negative: none"},
	{"warmup-shots", "number", "shots of each process that are not counted"},
	{"what", "name", "what to show"},
	{"workers", "numbers", "numbers of workers: 4, 1,2,4, 1..8, NumCPU or NumCPU/2"},
}

// inTests are the words that a test binary has to spell in another way, as go test keeps
// the name for itself.
var inTests = map[string]string{"count": "repeat", "o": "out"}

// Spelled returns the spelling of a word in s, which differs in a test binary for a few.
func (s *Set) Spelled(name string) string {
	if other, found := inTests[name]; found && s.InTests {
		return other
	}
	return name
}

// earlier maps a spelling of earlier versions to words that may have replaced it. The first
// that a Set has is the answer.
var earlier = map[string][]string{
	"all":        {"what=settings"},
	"bits":       {"limbs=NxBITS"},
	"blocks":     {"workers"},
	"build":      {"dir"},
	"cert":       {"tls-cert"},
	"client-ca":  {"tls-ca"},
	"cost":       {"before"},
	"doubles":    {"allow=doubles"},
	"extra_top":  {"passes=1+top"},
	"force":      {"unchecked"},
	"geometries": {"what=sizes"},
	"insecure":   {"tls-insecure"},
	"iterations": {"count"},
	"json":       {"format=json", "o=FILE.json"},
	"keep":       {"o=FILE.txt"},
	"key":        {"tls-key"},
	"md":         {"o=FILE.md"},
	"mix":        {"allow"},
	"mode":       {"unit"},
	"n":          {"count"},
	"network":    {"validators"},
	"out":        {"o"},
	"partial":    {"allow=partial"},
	"payments":   {"count"},
	"peers":      {"peer-time"},
	"proof":      {"o"},
	"repeat":     {"count"},
	"rounds":     {"v", "count"},
	"sample":     {"duration"},
	"samples":    {"count"},
	"search":     {"budget"},
	"seeds":      {"count"},
	"shots":      {"count"},
	"store":      {"dir"},
	"terms":      {"modulus"},
	"time":       {"duration"},
	"verify":     {"prove"},
	"wall":       {"clock=wall"},
	"warmup":     {"warmup-shots"},
}

// known returns the word of a name, in the spelling of a test binary too.
func known(name string) (w Word, found bool) {
	for word, spelled := range inTests {
		if name == spelled {
			name = word
		}
	}
	at, found := slices.BinarySearchFunc(Words, name, func(w Word, name string) int {
		return strings.Compare(w.Name, name)
	})
	if found {
		w = Words[at]
	}
	return w, found
}

// former is the flag that replaced a spelling of earlier versions.
type former struct {
	*Flag
	now  string // as users write it: a name, or a name with a value
	form string // of its value, in which %s is the value of the spelling
	end  string // of the value: a file whose name does not say what it holds has no replacement
}

// hasValue reports whether the value of the flag does not depend on a value of the spelling.
func (f former) hasValue() bool { return f.Flag != nil && !strings.Contains(f.form, "%s") }

// former returns what replaced a spelling in s. A name that once had an underscore has a hyphen
// now.
func (s *Set) former(spelling string) (f former, found bool) {
	for _, now := range append(slices.Clip(earlier[spelling]), strings.ReplaceAll(spelling, "_", "-")) {
		word, form, given := strings.Cut(now, "=")
		if now == spelling || s.Lookup(word) == nil {
			continue
		}
		f = former{Flag: s.Lookup(word), now: now, form: form}
		switch end, file := strings.CutPrefix(form, "FILE"); {
		case file:
			f.form, f.end = "%s", end
		case form == "NxBITS": // beside -limbs=N
			f.form = "x%s"
		case !given:
			f.form = "%s"
		}
		return f, true
	}
	return former{}, false
}

// Now returns what replaced a spelling of earlier versions in s: a name, or a name with a
// value.
func (s *Set) Now(name string) (now string, found bool) {
	f, found := s.former(name)
	return f.now, found
}
