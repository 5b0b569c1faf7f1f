package pb

import (
	"encoding/json"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Fields are the values of a message by the names of its fields: numbers, strings,
// byte slices, Fields, and lists. A field with the value nil is absent.
type Fields map[string]any

// Encode returns the encoding of a message as Google's library writes it.
func Encode(message string, f Fields) ([]byte, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	m := dynamicpb.NewMessage(Message(message))
	if err := protojson.Unmarshal(text, m); err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// Decode returns the fields of an encoded message. Byte slices become strings in
// base64, which Encode accepts, and numbers of 64 bits strings.
func Decode(message string, b []byte) (Fields, error) {
	m := dynamicpb.NewMessage(Message(message))
	if err := proto.Unmarshal(b, m); err != nil {
		return nil, err
	}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	var f Fields
	return f, json.Unmarshal(text, &f)
}

// Set changes the field at a path, such as "outputs.0.token.data". A nil value
// deletes the field or the entry of a list.
func (f Fields) Set(path string, value any) { set(f, strings.Split(path, "."), value) }

func set(in any, path []string, value any) any {
	switch in := in.(type) {
	case Fields:
		set(map[string]any(in), path, value)
		return in
	case map[string]any:
		if len(path) > 1 {
			value = set(in[path[0]], path[1:], value)
		}
		in[path[0]] = value
		return in
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil {
			panic(err)
		}
		if len(path) > 1 {
			value = set(in[i], path[1:], value)
		}
		if value == nil {
			return append(in[:i:i], in[i+1:]...)
		}
		in[i] = value
		return in
	}
	panic("pb: no field " + strings.Join(path, "."))
}
