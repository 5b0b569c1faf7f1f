package gate

import "github.com/zkatbench/zkatbench/bench/result"

// FloorOfTurns is the noise floor of results that were measured in turns.
func FloorOfTurns(d *result.Data) Floor { return floorOf(d, odd) }
