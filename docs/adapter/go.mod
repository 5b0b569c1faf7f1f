module github.com/zkatbench/zkatbench/docs/adapter

go 1.26.8

require github.com/zkatbench/zkatbench v0.0.0

require (
	github.com/IBM/idemix v0.2.0 // indirect
	github.com/IBM/mathlib v0.3.0 // indirect
	github.com/bits-and-blooms/bitset v1.25.0 // indirect
	github.com/consensys/gnark-crypto v0.22.0 // indirect
	github.com/hyperledger/fabric-amcl v0.0.0-20230602173724-9e02669dceb2 // indirect
	golang.org/x/crypto v0.57.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/zkatbench/zkatbench => ../..
