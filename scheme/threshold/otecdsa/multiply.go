package otecdsa

import (
	"io"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// product is the multiplication of a pair for one triple: it ends with additive
// shares of a₁·b₂ + b₁·a₂, where the sender has a₁, b₁ and the receiver a₂, b₂.
type product struct {
	triple int
	peer   uint32
	a, b   *secp.Scalar // own e(0) and f(0)
	sender *senderOT    // nil for the receiver
	recv   *receiverOT  // nil for the sender
	share  *secp.Scalar
}

// mask returns the vector of the k-th product: pairs (v⁰ + δ + a, v¹ + δ - a). The
// first product has a₁, the second b₁.
func (p *product) mask(random io.Reader, k int) ([][]byte, error) {
	value := [2]*secp.Scalar{p.a, p.b}[k]
	var fields [][]byte
	for i := range kappa {
		delta, err := secp.Uniform(random)
		if err != nil {
			return nil, err
		}
		p.sender.padding[k] = append(p.sender.padding[k], delta)
		v0, v1 := p.sender.pair(k*kappa + i)
		fields = append(fields,
			secp.Encode(secp.Add(secp.Add(v0, delta), value)),
			secp.Encode(secp.Sub(secp.Add(v1, delta), value)))
	}
	return fields, nil
}

// unmask is the receiver's side of mask: it returns χ₁ for the seed, and adds
// β = Σ χᵢmᵢ to the share. The first product has b₂, the second a₂.
func (p *product) unmask(k int, vector [][]byte, seed []byte) (*secp.Scalar, error) {
	value := [2]*secp.Scalar{p.b, p.a}[k]
	weights := productWeights(seed)
	first := new(secp.Scalar).Set(value)
	beta := new(secp.Scalar)
	var m0 *secp.Scalar
	var bit0 byte
	for i := range kappa {
		v, b := p.recv.chosen(k*kappa + i)
		// Both are decoded, so that the encoding of both is checked.
		c, err := decodeScalars(vector[2*i : 2*i+2])
		if err != nil {
			return nil, err
		}
		m := secp.Sub(c[b], v)
		if i == 0 {
			m0, bit0 = m, b
			continue
		}
		chi := weights[i-1]
		beta.Add(secp.Mul(chi, m))
		if b == 1 {
			first.Add(chi)
		} else {
			first = secp.Sub(first, chi)
		}
	}
	if bit0 == 1 {
		first.Negate()
	}
	beta.Add(secp.Mul(first, m0))
	p.share = secp.Add(p.share, beta)
	return first, nil
}

// settle is the sender's last step: α = -Σ χᵢδᵢ is added to the share.
func (p *product) settle(k int, first *secp.Scalar, seed []byte) {
	alpha := secp.Mul(first, p.sender.padding[k][0])
	for i, chi := range productWeights(seed) {
		alpha.Add(secp.Mul(chi, p.sender.padding[k][i+1]))
	}
	p.share = secp.Sub(p.share, alpha)
}

func decodeScalars(fields [][]byte) ([]*secp.Scalar, error) {
	scalars := make([]*secp.Scalar, len(fields))
	for i, f := range fields {
		var err error
		if scalars[i], err = secp.DecodeScalar(f); err != nil {
			return nil, err
		}
	}
	return scalars, nil
}

func decodePoints(fields [][]byte) ([]*secp.Point, error) {
	points := make([]*secp.Point, len(fields))
	for i, f := range fields {
		var err error
		if points[i], err = secp.DecodePoint(f); err != nil {
			return nil, err
		}
	}
	return points, nil
}
