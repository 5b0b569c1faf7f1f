package bn254

func newForTest() *Group { return New() }
