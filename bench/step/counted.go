package step

import "github.com/zkatbench/zkatbench/count"

// Counted returns counts as the columns of a row.
func Counted(c count.Counts) (row Row) {
	outer, g2 := c.Outer(), c.In("G2")
	others := c.Select(func(e count.Event) bool { return e.Group != "G2" })
	row[Add], row[Double], row[Neg] = outer.Adds, outer.Doubles, outer.Negs
	for i, column := range columns {
		if !column.counted {
			continue
		}
		from := others
		if column.g2 {
			from = g2
		}
		if row[i] = from.Calls(column.op); column.terms {
			row[i] = from.Terms(column.op)
		}
	}
	return row
}
