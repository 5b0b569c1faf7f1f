// Code generated from bn254/flags_test.go by bls12381/generate. DO NOT EDIT.

package bls12381_test

// The flags of the benchmark suite, which go test hands to every package.
import _ "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
