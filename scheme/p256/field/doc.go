// Package field holds generated arithmetic of the P-256 field, a package for each
// setting. All have the same methods; package curve is generic over them.
//
//	g10x26        10 limbs of 26 bits, 2 additions before a product, 1 pass
//	g10x28        10 limbs of 28 bits, 2 additions, 2 passes
//	g9x29         9 limbs of 29 bits, 1 addition, 2 passes
//	g9x29top      9 limbs of 29 bits, 1 addition, 1 pass with an extra reduction of the top limb
//	g9x29once     9 limbs of 29 bits, no additions, 1 pass
//	g9x29unsafe   9 limbs of 29 bits, 2 additions, 1 pass: NOT PROVED, has wrong
//	              products, and is imported by tests only
//
// zkatbench limbs generate writes them. It refuses settings that are not proved
// safe, see package limb.
package field

//go:generate go run ../../../cmd/zkatbench limbs generate -f -limbs=10x26 -max-adds=2 -passes=1 -package=g10x26 -o=g10x26/field.go
//go:generate go run ../../../cmd/zkatbench limbs generate -f -limbs=10x28 -max-adds=2 -passes=2 -package=g10x28 -o=g10x28/field.go
//go:generate go run ../../../cmd/zkatbench limbs generate -f -limbs=9x29 -max-adds=1 -passes=2 -package=g9x29 -o=g9x29/field.go
//go:generate go run ../../../cmd/zkatbench limbs generate -f -limbs=9x29 -max-adds=1 -passes=1+top -package=g9x29top -o=g9x29top/field.go
//go:generate go run ../../../cmd/zkatbench limbs generate -f -limbs=9x29 -max-adds=0 -passes=1 -package=g9x29once -o=g9x29once/field.go
//go:generate go run ../../../cmd/zkatbench limbs generate -f -limbs=9x29 -max-adds=2 -passes=1 -unsafe -package=g9x29unsafe -o=g9x29unsafe/field.go
