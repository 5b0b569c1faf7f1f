// Package result keeps the measurements of the load runner: counts, latencies and their
// timeline, the use of the machine. It is data, with figures that are computed without
// any statistical model, and without verdicts.
//
// A Record is the record of one worker: Tally has latencies and their sums without
// allocation, Timeline latencies over time in constant memory. A Result joins them with
// the Config and the use of the machine; Merge joins the Results of several generators.
package result
