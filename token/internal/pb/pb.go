// Package pb is the protobuf schema of the v1 wire format as data, for tests and
// for tools that take messages apart. The engine reads and writes messages with
// package wire. docs/spec/zkatdlog-nogh-v1.md describes the bytes of each field.
//
// The schema has a file each for points and scalars, public parameters, tokens,
// actions, requests, metadata and idemix identities; messages.binpb has their
// descriptors.
//
// Generating needs protoc 3.21 or later.
package pb

import (
	_ "embed"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

//go:generate protoc -Izkatbench/nogh/v1=. --include_imports --descriptor_set_out=messages.binpb zkatbench/nogh/v1/common.proto zkatbench/nogh/v1/params.proto zkatbench/nogh/v1/token.proto zkatbench/nogh/v1/action.proto zkatbench/nogh/v1/request.proto zkatbench/nogh/v1/metadata.proto zkatbench/nogh/v1/identity.proto

//go:embed messages.binpb
var descriptors []byte

// schema holds the messages by their full names.
var schema = sync.OnceValue(func() protodesc.Resolver {
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(descriptors, set); err != nil {
		panic(err)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		panic(err)
	}
	return files
})

// Message returns the descriptor of a message, such as "TokenRequest". It panics
// if the schema lacks the message.
func Message(name string) protoreflect.MessageDescriptor {
	d, err := schema().FindDescriptorByName(protoreflect.FullName("zkatbench.nogh.v1." + name))
	m, ok := d.(protoreflect.MessageDescriptor)
	if err != nil || !ok {
		panic(fmt.Sprintf("pb: no message %q", name))
	}
	return m
}
