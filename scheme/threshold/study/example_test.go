package study_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/scheme/threshold/study"
)

// Delays of a network are random, in a distribution with a scale.
func ExampleParseJitter() {
	jitter, err := study.ParseJitter("exponential:10ms")
	fmt.Println(jitter, err)
	_, err = study.ParseJitter("10ms")
	fmt.Println(err != nil)
	// Output:
	// exponential:10ms <nil>
	// true
}
