package bls12381

func newForTest() *Group { return onKernel(New(7)) }
