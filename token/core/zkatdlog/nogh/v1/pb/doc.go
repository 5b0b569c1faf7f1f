// Package pb contains the protobuf messages of the v1 wire format, generated
// from the .proto files in this directory. Field numbers and types follow the
// specification; docs/spec/zkatdlog-nogh-v1.md describes the bytes of each field.
//
//	common.proto    G1, Zr, CurveID, Identity
//	params.proto    public parameters
//	token.proto     tokens, openings, token identifiers, clear tokens
//	action.proto    transfer and issue actions
//	request.proto   token requests and their signatures
//	metadata.proto  the information for an auditor
//	identity.proto  idemix identities
//
// The types imply no validity. Read and write them with wire.Unmarshal and
// wire.Marshal, which accept one encoding per message.
//
// Generating needs protoc 3.21 or later; the Go plugin is built from the
// module's pinned version of google.golang.org/protobuf.
package pb

//go:generate go build -o protoc-gen-go google.golang.org/protobuf/cmd/protoc-gen-go
//go:generate protoc --plugin=protoc-gen-go -Izkatbench/nogh/v1=. --go_out=. --go_opt=module=github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/pb zkatbench/nogh/v1/common.proto zkatbench/nogh/v1/params.proto zkatbench/nogh/v1/token.proto zkatbench/nogh/v1/action.proto zkatbench/nogh/v1/request.proto zkatbench/nogh/v1/metadata.proto zkatbench/nogh/v1/identity.proto
//go:generate rm protoc-gen-go
