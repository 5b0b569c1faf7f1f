package gate

import (
	"slices"
	"strings"
	"unicode"
)

// Words in the names of units, in lower case. A name with a bad word is better lower, for
// any denominator: errors/s. Otherwise a good word decides, then a rate or a cost by its
// denominator, and last a size or a duration.
var (
	badWords = strings.Fields("err error errors fail failed failure failures miss misses missed retry " +
		"retries drop drops " +
		"dropped timeout timeouts latency lat wait waits stall stalls alloc allocs gc pause abort aborts " +
		"conflict conflicts")
	goodWords = strings.Fields("tps qps rps iops hit hits throughput speed speedup goodput bandwidth mbps " +
		"gbps bps")
	perTime = strings.Fields("s sec secs second seconds min minute h hour")
	perWork = strings.Fields("op ops request requests req tx call item msg message key row")
	amounts = strings.Fields("ns us µs μs ms s sec secs second seconds min b kb mb gb kib mib gib byte " +
		"bytes cycles " +
		"instr instructions")
)

// directionOf returns the direction of a unit by its name, tidied or not: lower for costs
// (sec/op, errors/op, p99-ms, proof-B), higher for rates (B/s, msgs/sec, TPS, hits/op),
// Undirected for all others.
func directionOf(unit string) Direction {
	above, below, isRatio := strings.Cut(strings.ToLower(unit), "/")
	words, denominator := wordsOf(above), wordsOf(below)
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	// "hits-per-sec" and "tx_per_s" are ratios, too.
	if i := slices.Index(words, "per"); i >= 0 && !isRatio {
		words, denominator, isRatio = words[:i], words[i+1:], true
	}
	last := func(ws, list []string) bool { return len(ws) > 0 && slices.Contains(list, ws[len(ws)-1]) }
	switch {
	case has(badWords):
		return Lower
	case has(goodWords):
		return Higher
	case isRatio && last(denominator, perTime):
		return Higher
	case isRatio && last(denominator, perWork):
		return Lower
	case !isRatio && last(words, amounts):
		return Lower
	}
	return Undirected
}

// wordsOf splits a name at everything that is not a letter.
func wordsOf(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}
