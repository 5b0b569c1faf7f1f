package main // a program has no exported names

import "testing"

// TestAccumulator requires that a kernel cannot use a number that another one replaced
// in the accumulator, and that it can use one that was stored before.
func TestAccumulator(t *testing.T) {
	for name, c := range map[string]struct {
		step    step
		refused bool
	}{
		"stored": {func(pr program, m map[string]memory) {
			d, p := pr.factorInMemory(m["d"], pr.f.product()), pr.factorInMemory(m["p"], pr.f.product())
			first := pr.keep(m["t0"], pr.product(factors{d, p}))
			second := pr.product(factors{p, p})
			pr.storeNumber(m["d"], pr.clean(pr.sum([]number{second, first}, nil)), pr.f.coordinate())
		}, false},
		"lost": {func(pr program, m map[string]memory) {
			d, p := pr.factorInMemory(m["d"], pr.f.product()), pr.factorInMemory(m["p"], pr.f.product())
			first := pr.product(factors{d, p})
			pr.keep(m["t0"], pr.product(factors{p, p}))
			pr.storeNumber(m["d"], pr.clean(first), pr.f.coordinate())
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if refused := recover() != nil; refused != c.refused {
					t.Errorf("refused: %v", refused)
				}
			}()
			newAssembler().emit(bn254,
				kernel{name: "kernel", operands: []string{"d", "p"}, scratch: 1, step: c.step})
		})
	}
}
