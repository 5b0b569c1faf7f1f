package ps18

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// Vector is a signature in a file of vectors, with the values that verify it.
// Numbers are big-endian, points compressed; g̃ is the standard generator.
type Vector struct {
	Curve    string // "BN254" or "BLS12_381"
	Messages []*big.Int
	key      []byte // encodings of X̃, Ỹ₁ …
	sig      []byte // an encoding of the signature
}

// hexBytes are bytes in hexadecimal.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// LoadVectors reads a file of vectors: {"vectors": [{"curve", "m", "m_prime",
// "X_tilde", "Y_tilde", "sigma1", "sigma2"}]}, all hexadecimal. Other fields are
// ignored. A file without vectors is an error.
func LoadVectors(r io.Reader) ([]Vector, error) {
	var file struct {
		Vectors []struct {
			Curve          string
			M              []hexBytes
			Prime          hexBytes   `json:"m_prime"`
			X              hexBytes   `json:"X_tilde"`
			Y              []hexBytes `json:"Y_tilde"`
			Sigma1, Sigma2 hexBytes
		}
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, fmt.Errorf("ps18: vectors: %w", err)
	}
	if len(file.Vectors) == 0 {
		return nil, errors.New("ps18: the file has no vectors")
	}
	vs := make([]Vector, len(file.Vectors))
	for i, f := range file.Vectors {
		v := Vector{Curve: f.Curve, key: f.X}
		for _, m := range f.M {
			v.Messages = append(v.Messages, new(big.Int).SetBytes(m))
		}
		for _, y := range f.Y {
			v.key = append(v.key, y...)
		}
		v.sig = append(append(append(v.sig, f.Prime...), f.Sigma1...), f.Sigma2...)
		vs[i] = v
	}
	return vs, nil
}

// on returns the curve of the vector. The files say BLS12_381 for the curve that the
// native backend calls BLS12_381_BBS_GURVY.
func (v Vector) on() (curve.Curve, error) {
	name := v.Curve
	if name == "BLS12_381" {
		name = "BLS12_381_BBS_GURVY"
	}
	return curve.Find(name, "native")
}

// decode returns the key and the signature of the vector on c.
func (v Vector) decode(c curve.Curve) (*PublicKey, *Signature, error) {
	r := len(v.key)/c.LenG2() - 2
	b := append(c.AppendG2([]byte{byte(r >> 8), byte(r)}, c.GenG2()), v.key...)
	pk, err := DecodePublicKey(c, b)
	if err != nil {
		return nil, nil, err
	}
	s, err := DecodeSignature(c, v.sig)
	return pk, s, err
}

// Verify decodes the key and the signature and verifies it.
func (v Vector) Verify(how Method) error {
	c, err := v.on()
	if err != nil {
		return err
	}
	pk, s, err := v.decode(c)
	if err != nil {
		return err
	}
	return pk.Verify(v.Messages, s, how)
}
