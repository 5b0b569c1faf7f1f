package render // writeCSV, rows and overTime are private: a picture shows them rounded

import "github.com/zkatbench/zkatbench/runner/result"

// Names that only tests of this package use.
var CSV = writeCSV

// Rows returns the counts of the rows of the heatmap, and the same rows over time.
func Rows(r *result.Result) (counts []uint64, time [][]uint64) {
	all := rows(r)
	for _, row := range all {
		counts = append(counts, row.n)
	}
	return counts, overTime(r, all, 1)
}
