package wire_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// A container has its parts in their order, and one encoding only.
func ExampleContainer() {
	b := wire.AppendContainer(nil, []byte("left"), []byte("right"))
	parts, err := wire.Container("pair", b, 2, 2)
	fmt.Printf("%q %v\n", parts, err)
	_, err = wire.Container("pair", append(b, 0), 2, 2)
	fmt.Println(err)
	// Output:
	// ["left" "right"] <nil>
	// pair: list at byte 5 is followed by extra bytes
}
