package cost

import (
	"github.com/zkatbench/zkatbench/count"
)

func (c *Costs) Predict(counts count.Counts) (ns float64, unknown []count.Event) {
	return c.predict(counts)
}
