package presentation_test

// The flags of the benchmark suite, which go test hands to every package.
import _ "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
