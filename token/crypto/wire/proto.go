package wire

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Limits bounds a protobuf message before it is unmarshalled: its length, and
// the number of occurrences of each field at its top level.
type Limits struct {
	Bytes  int
	Fields map[protowire.Number]int
}

// Unmarshal decodes a protobuf message from the one accepted encoding of its
// value: fields in order of their numbers, no unknown fields, minimal varints,
// no default values; only the entries of top-level maps may be in any order.
// Lengths and counts are checked against limits first, by the framing alone.
// Errors are DecodeErrors of what.
func Unmarshal(what string, b []byte, m proto.Message, limits Limits) error {
	if err := checkLimits(what, b, limits); err != nil {
		return err
	}
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(b, m); err != nil {
		return Bad(what, "message", ErrMalformed)
	}
	again, err := Marshal(m)
	if err != nil || !sameButMapOrder(m, again, b) {
		field, kind := notTheOne(m.ProtoReflect().Descriptor(), b)
		return Bad(what, field, kind)
	}
	return nil
}

// notTheOne names the field that makes b, a message of type d, non-canonical:
// the first field at any depth that is repeated or has its default value, or
// otherwise the message itself.
func notTheOne(d protoreflect.MessageDescriptor, b []byte) (field string, kind error) {
	seen := map[protowire.Number]bool{}
	for len(b) > 0 {
		number, wireType, n := protowire.ConsumeTag(b)
		size := protowire.ConsumeFieldValue(number, wireType, b[max(n, 0):])
		if n < 0 || size < 0 {
			break
		}
		value := b[n : n+size]
		b = b[n+size:]
		f := d.Fields().ByNumber(number)
		if f == nil {
			break
		}
		name, single := string(f.Name()), !f.IsList() && !f.IsMap()
		if single && seen[number] {
			return name, ErrTwice
		}
		seen[number] = true
		if single && !f.HasPresence() && len(value) == 1 && value[0] == 0 { // 0, or the length 0
			return name, ErrDefault
		}
		if f.Message() != nil && !f.IsMap() && wireType == protowire.BytesType {
			inner, _ := protowire.ConsumeBytes(value)
			if field, kind := notTheOne(f.Message(), inner); kind != ErrNotCanonical {
				return name + "." + field, kind
			}
		}
	}
	return "message", ErrNotCanonical
}

// Marshal encodes m in the form that Unmarshal accepts. Map entries are sorted
// by key.
func Marshal(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

func checkLimits(what string, b []byte, limits Limits) error {
	if limits.Bytes > 0 && len(b) > limits.Bytes {
		return Bad(what, "message", ErrTooLarge)
	}
	seen := make(map[protowire.Number]int)
	for rest := b; len(rest) > 0; {
		number, kind, n := protowire.ConsumeTag(rest)
		if n < 0 {
			return &DecodeError{What: what, Field: "message", Offset: len(b) - len(rest), Err: ErrMalformed}
		}
		size := protowire.ConsumeFieldValue(number, kind, rest[n:])
		if size < 0 {
			return &DecodeError{What: what, Field: "message", Offset: len(b) - len(rest), Err: ErrMalformed}
		}
		seen[number]++
		if most, ok := limits.Fields[number]; ok && seen[number] > most {
			return &DecodeError{What: what, Field: "message", Offset: len(b) - len(rest), Err: ErrTooLarge}
		}
		rest = rest[n+size:]
	}
	return nil
}
