package bn254

func newForTest() *Group { return onKernel(New()) }
