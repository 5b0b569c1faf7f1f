module github.com/zkatbench/zkatbench/.ci/wycheproof

go 1.26.8

require (
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	github.com/stretchr/testify v1.12.1
	github.com/zkatbench/zkatbench v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.25.0 // indirect
	github.com/consensys/gnark-crypto v0.22.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.48.0 // indirect
)

replace github.com/zkatbench/zkatbench => ../..
