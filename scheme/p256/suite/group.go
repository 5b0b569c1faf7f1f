package suite

import (
	"math/big"

	"filippo.io/nistec"

	"github.com/zkatbench/zkatbench/scheme/p256/curve"
	"github.com/zkatbench/zkatbench/scheme/p256/ecdsa"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x26"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x28"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29once"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29top"
)

// std is the value of -field for crypto/ecdsa, which is measured as a whole.
const std = "std"

// groups are the values of -field in the order of tables, without std.
var groups = []struct {
	name  string
	group ecdsa.Group
}{
	{"10x26", ecdsa.Over[g10x26.Element](curve.Limits{MaxAdds: g10x26.MaxAdds, MaxSum: g10x26.MaxSum})},
	{"10x28", ecdsa.Over[g10x28.Element](curve.Limits{MaxAdds: g10x28.MaxAdds, MaxSum: g10x28.MaxSum})},
	{"9x29", ecdsa.Over[g9x29.Element](curve.Limits{MaxAdds: g9x29.MaxAdds, MaxSum: g9x29.MaxSum})},
	{"9x29-top",
		ecdsa.Over[g9x29top.Element](curve.Limits{MaxAdds: g9x29top.MaxAdds, MaxSum: g9x29top.MaxSum})},
	{"9x29-adds0",
		ecdsa.Over[g9x29once.Element](curve.Limits{MaxAdds: g9x29once.MaxAdds, MaxSum: g9x29once.MaxSum})},
	{"nistec", library{}},
}

func fieldNames() (names []string) {
	for _, g := range groups {
		names = append(names, g.name)
	}
	return append(names, std)
}

// groupOf returns the group of a value of -field, nil for std.
func groupOf(name string) ecdsa.Group {
	for _, g := range groups {
		if g.name == name {
			return g.group
		}
	}
	return nil
}

// library is the group of filippo.io/nistec, the published copy of the code
// below crypto/ecdsa. It has a table of the generator.
type library struct{}

func (library) BaseMult(k *[32]byte) (x, y *big.Int, ops curve.Ops) {
	p, err := nistec.NewP256Point().ScalarBaseMult(k[:])
	if err != nil {
		panic(err) // only for scalars of another length
	}
	x, y = affine(p)
	return x, y, ops
}

// affine returns the coordinates of p, nil if p is the point at infinity.
func affine(p *nistec.P256Point) (x, y *big.Int) {
	raw := p.Bytes()
	if len(raw) != 65 {
		return nil, nil
	}
	return new(big.Int).SetBytes(raw[1:33]), new(big.Int).SetBytes(raw[33:])
}
