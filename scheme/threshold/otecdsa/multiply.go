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
	value := p.a
	if k == 1 {
		value = p.b
	}
	vector := make([][]byte, 0, 2*kappa)
	for i := range kappa {
		delta, err := secp.Uniform(random)
		if err != nil {
			return nil, err
		}
		p.sender.padding[k] = append(p.sender.padding[k], delta)
		v0, v1 := p.sender.pair(k*kappa + i)
		vector = append(vector, secp.Encode(v0.Add(delta).Add(value)),
			secp.Encode(secp.Sub(v1.Add(delta), value)))
	}
	return vector, nil
}

// unmask is the receiver's side of mask: it returns χ₁ for the seed, and adds
// β = Σ χᵢmᵢ to the share. The first product has b₂, the second a₂.
func (p *product) unmask(k int, vector [][]byte, seed []byte) (*secp.Scalar, error) {
	scalars, err := decodeScalars(vector)
	if err != nil {
		return nil, err
	}
	// χ₁ = ±(v + Σ ±χᵢ), with the signs of the choices; v is b₂ if k = 0 and a₂ if k = 1.
	first, beta := *p.b, new(secp.Scalar)
	if k == 1 {
		first = *p.a
	}
	masked := make([]*secp.Scalar, kappa)
	weights := productWeights(seed)
	var bit0 byte
	for i := range masked {
		v, b := p.recv.chosen(k*kappa + i)
		masked[i] = secp.Sub(scalars[2*i+int(b)], v)
		switch {
		case i == 0:
			bit0 = b
			continue
		case b == 1:
			first.Add(weights[i-1])
		default:
			first.Add(new(secp.Scalar).NegateVal(weights[i-1]))
		}
		beta.Add(secp.Mul(weights[i-1], masked[i]))
	}
	if bit0 == 1 {
		first.Negate()
	}
	p.share = secp.Add(p.share, beta.Add(secp.Mul(&first, masked[0])))
	return &first, nil
}

// settle is the sender's last step: α = -Σ χᵢδᵢ is added to the share.
func (p *product) settle(k int, first *secp.Scalar, seed []byte) {
	weights := append([]*secp.Scalar{first}, productWeights(seed)...)
	p.share = secp.Sub(p.share, secp.Interpolate(weights, p.sender.padding[k]))
}

func decodeScalars(fields [][]byte) ([]*secp.Scalar, error) {
	scalars := make([]*secp.Scalar, len(fields))
	for i, f := range fields {
		var err error
		scalars[i], err = secp.DecodeScalar(f)
		if err != nil {
			return nil, err
		}
	}
	return scalars, nil
}

func decodePoints(fields [][]byte) ([]*secp.Point, error) {
	points := make([]*secp.Point, len(fields))
	for i, f := range fields {
		var err error
		points[i], err = secp.DecodePoint(f)
		if err != nil {
			return nil, err
		}
	}
	return points, nil
}

func encodePoints(points []*secp.Point) [][]byte {
	encoded := make([][]byte, len(points))
	for i, p := range points {
		encoded[i] = p.Encode()
	}
	return encoded
}
