// Command spin runs operations of a number of loops each: spin OPERATIONS LOOPS.
package main

import (
	"os"
	"runtime"
	"strconv"
)

func main() {
	operations, _ := strconv.Atoi(os.Args[1])
	loops, _ := strconv.Atoi(os.Args[2])
	var sink uint64
	for range operations {
		sink = spin(loops)
	}
	runtime.KeepAlive(sink)
}

//go:noinline
func spin(n int) (x uint64) {
	for i := range n {
		x = x*6364136223846793005 + uint64(i)
	}
	return x
}
