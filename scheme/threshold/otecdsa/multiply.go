package otecdsa

import (
	"io"
	"slices"

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
	value := secp.ResidueOf([2]*secp.Scalar{p.a, p.b}[k])
	encoded := make([]byte, 0, 2*kappa*secp.ScalarLen)
	for i := range kappa {
		delta, err := secp.UniformResidue(random)
		if err != nil {
			return nil, err
		}
		p.sender.padding[k] = append(p.sender.padding[k], delta)
		v0, v1 := p.sender.pair(k*kappa + i)
		v0, v1 = v0.Plus(&delta), v1.Plus(&delta)
		v0, v1 = v0.Plus(&value), v1.Minus(&value)
		encoded = v1.Append(v0.Append(encoded))
	}
	return slices.Collect(slices.Chunk(encoded, secp.ScalarLen)), nil
}

// unmask is the receiver's side of mask: it returns χ₁ for the seed, and adds
// β = Σ χᵢmᵢ to the share. The first product has b₂, the second a₂.
func (p *product) unmask(k int, vector [][]byte, seed []byte) (*secp.Scalar, error) {
	weights := productWeights(seed)
	first := secp.ResidueOf([2]*secp.Scalar{p.b, p.a}[k])
	var beta secp.InnerProduct
	var m0 secp.Residue
	var bit0 byte
	for i := range kappa {
		// Both are decoded, so that the encoding of both is checked.
		c, err := secp.DecodeResidue(vector[2*i])
		if err != nil {
			return nil, err
		}
		other, err := secp.DecodeResidue(vector[2*i+1])
		if err != nil {
			return nil, err
		}
		v, b := p.recv.chosen(k*kappa + i)
		if b == 1 {
			c = other
		}
		m := c.Minus(&v)
		switch {
		case i == 0:
			m0, bit0 = m, b
			continue
		case b == 1:
			first = first.Plus(&weights[i-1])
		default:
			first = first.Minus(&weights[i-1])
		}
		beta.Add(&weights[i-1], &m)
	}
	if bit0 == 1 {
		first = new(secp.Residue).Minus(&first)
	}
	beta.Add(&first, &m0)
	sum := beta.Residue()
	p.share = secp.Add(p.share, sum.Scalar())
	return first.Scalar(), nil
}

// settle is the sender's last step: α = -Σ χᵢδᵢ is added to the share.
func (p *product) settle(k int, first *secp.Scalar, seed []byte) {
	var alpha secp.InnerProduct
	chi := secp.ResidueOf(first)
	alpha.Add(&chi, &p.sender.padding[k][0])
	for i, chi := range productWeights(seed) {
		alpha.Add(&chi, &p.sender.padding[k][i+1])
	}
	sum := alpha.Residue()
	p.share = secp.Sub(p.share, sum.Scalar())
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
