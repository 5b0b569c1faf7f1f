package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// The JSON form of an element is the text {"curve":<id>,"element":"<standard
// base64, padded>"} without spaces and with the keys in this order
// (specification, section 1). Readers accept only this form.

const jsonTail = `"}`

// otherCurve is the head with any curve identifier.
var otherCurve = regexp.MustCompile(`^\{"curve":-?[0-9]{1,20},"element":"`)

func appendHead(dst []byte, g group.Group) []byte {
	dst = strconv.AppendInt(append(dst, `{"curve":`...), int64(g.ID()), 10)
	return append(dst, `,"element":"`...)
}

// appendBase64 appends the n bytes written by raw, in base64. The raw bytes are
// temporarily stored after the text, which saves a buffer.
func appendBase64(dst []byte, n int, raw func(dst []byte) []byte) []byte {
	text := base64.StdEncoding.EncodedLen(n)
	dst = slices.Grow(dst, text+n+len(jsonTail))
	end := len(dst) + text
	base64.StdEncoding.Encode(dst[len(dst):end], raw(dst[:end])[end:])
	return append(dst[:end], jsonTail...)
}

// AppendJSONPoint appends the JSON form of p.
func AppendJSONPoint(dst []byte, g group.Group, p group.Point) []byte {
	return appendBase64(appendHead(dst, g), g.PointLen(), func(dst []byte) []byte {
		return g.AppendPoint(dst, p)
	})
}

// AppendJSONScalar appends the JSON form of s.
func AppendJSONScalar(dst []byte, g group.Group, s group.Scalar) []byte {
	return appendBase64(appendHead(dst, g), group.ScalarLen, func(dst []byte) []byte {
		return g.AppendScalar(dst, s)
	})
}

// DecodeJSONPoint decodes the JSON form of a point. Errors are kinds, so that
// the caller can add the field: ErrMissing, ErrMalformed, ErrWrongCurve, or a
// kind of package group.
func DecodeJSONPoint(g group.Group, b []byte) (group.Point, error) {
	raw, err := rawJSON(nil, g, b, g.PointLen())
	if err != nil {
		return group.Point{}, err
	}
	return g.DecodePoint(raw)
}

// decodeJSONScalar reads the JSON form of a scalar; errors as DecodeJSONPoint.
func decodeJSONScalar(g group.Group, b []byte) (group.Scalar, error) {
	raw, err := rawJSON(nil, g, b, group.ScalarLen)
	if err != nil {
		return group.Scalar{}, err
	}
	return g.DecodeScalar(raw)
}

// rawJSON appends the n bytes of the JSON form to dst.
func rawJSON(dst []byte, g group.Group, b []byte, n int) ([]byte, error) {
	if len(b) == 0 {
		return nil, ErrMissing
	}
	var head [64]byte
	text, ok := bytes.CutPrefix(b, appendHead(head[:0], g))
	if !ok {
		if otherCurve.Match(b) {
			return nil, ErrWrongCurve
		}
		return nil, ErrMalformed
	}
	text, ok = bytes.CutSuffix(text, []byte(jsonTail))
	if !ok {
		return nil, ErrMalformed
	}
	if len(text) != base64.StdEncoding.EncodedLen(n) {
		return nil, group.ErrLength
	}
	raw, err := base64.StdEncoding.Strict().AppendDecode(dst, text)
	if err != nil {
		return nil, ErrMalformed
	}
	return raw, nil // shorter than n if padding replaces data; the decoder then returns ErrLength
}

// ExactJSON decodes into v only the bytes that json.Marshal(v) returns: fields
// in order, no unknown, repeated or missing fields, no white space. Errors are
// ErrMalformed and ErrNotCanonical, so that the caller can add the message.
func ExactJSON(b []byte, v any) error {
	if err := json.Unmarshal(b, v); err != nil {
		return ErrMalformed
	}
	if again, err := json.Marshal(v); err != nil || !bytes.Equal(b, again) {
		return ErrNotCanonical
	}
	return nil
}
