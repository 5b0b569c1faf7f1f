package round_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Tasks of one run ask for their sums together: the group computes all of them in one call.
func ExampleRun() {
	g := bn254.New()
	sums := make([]group.Point, 3)
	err := round.Run(g, func(r round.Round) error {
		return r.Each(len(sums), func(r round.Round, i int) error {
			k := g.Uint64(uint64(i))
			sums[i] = r.Sums(group.Terms{Points: []group.Point{g.Generator()}, Scalars: []group.Scalar{k}})[0]
			return nil
		})
	})
	fmt.Println(g.Equal(g.AddPoints(sums[1], sums[1]), sums[2]), err)
	// Output: true <nil>
}
