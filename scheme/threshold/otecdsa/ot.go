package otecdsa

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// Sizes of the oblivious transfer.
const (
	baseOTs = 128         // columns of the extension
	keyLen  = baseOTs / 8 // bytes of a base key, and of a row
	kappa   = 256 + 128   // transfers of one product
	outputs = 2 * kappa   // of two products
	rows    = 768 + 256   // outputs, rounded up to 128, and 256 rows for the check
	chunks  = rows / 128  // of the check
	column  = rows / 8    // bytes of a column
	checked = 2 * keyLen  // bytes of an unreduced product of two polynomials
)

// errExtension says that the receiver of an extension was not consistent.
var errExtension = errors.New("check of the oblivious transfer extension fails")

// bit returns bit i of b, the lowest bit of each byte first.
func bit(b []byte, i int) byte { return b[i/8] >> (i % 8) & 1 }

func xor(dst, src []byte) {
	for i, v := range src {
		dst[i] ^= v
	}
}

// senderOT is the multiplication sender's side. It receives in the base transfers,
// with the bits of delta as choices.
type senderOT struct {
	instance
	hash    func(i int, row []byte) *secp.Scalar
	delta   []byte
	keys    [][]byte // by base transfer
	q       [][]byte // columns
	byRow   [][keyLen]byte
	points  [][]byte // X_i
	seed    []byte
	padding [2][]*secp.Scalar // δ of each product
}

// newSenderOT draws Δ and all x_i for the answer to Y, X_i = x_i·G + Δ_i·Y, and computes
// the keys from x_i·Y.
func newSenderOT(in instance, random io.Reader, y *secp.Point) (*senderOT, error) {
	s := &senderOT{instance: in, hash: in.rowHash(), delta: make([]byte, keyLen)}
	if _, err := io.ReadFull(random, s.delta); err != nil {
		return nil, errors.Join(secp.ErrRandom, err)
	}
	encodedY, multiples := y.Encode(), secp.Multiples(y)
	for i := range baseOTs {
		x, err := secp.Uniform(random)
		if err != nil {
			return nil, err
		}
		chosen := new(secp.Point)
		if bit(s.delta, i) == 1 {
			chosen = y
		}
		point, common := secp.Base(x).Plus(chosen), multiples(x)
		if point.IsIdentity() || common.IsIdentity() {
			return nil, secp.ErrZero
		}
		encoded := point.Encode()
		s.points = append(s.points, encoded)
		s.keys = append(s.keys, s.baseKey(i, encoded, encodedY, common.Encode()))
	}
	return s, nil
}

// extend computes Q_j = Δ_j·U_j ⊕ T^{Δ_j}_j from the columns U.
func (s *senderOT) extend(u []byte) {
	for j, key := range s.keys {
		q := s.column(key)
		if bit(s.delta, j) == 1 {
			xor(q, u[column*j:][:column])
		}
		s.q = append(s.q, q)
	}
	s.byRow = transpose(s.q)
}

// check returns errExtension unless q_j = t_j ⊕ Δ_j·x for all columns. answer is x,
// t_0, t_1, ….
func (s *senderOT) check(answer []byte) error {
	weights := newWeights(s.seed)
	x := answer[:checked]
	for j, q := range s.q {
		want := append([]byte(nil), answer[checked*(j+1):][:checked]...)
		if bit(s.delta, j) == 1 {
			xor(want, x)
		}
		if string(weights.sum(q)) != string(want) {
			return errExtension
		}
	}
	return nil
}

// pair returns v⁰ and v¹ of a row.
func (s *senderOT) pair(i int) (v0, v1 *secp.Scalar) {
	row := s.byRow[i]
	v0 = s.hash(i, row[:])
	xor(row[:], s.delta)
	return v0, s.hash(i, row[:])
}

// receiverOT is the multiplication receiver's side. It sends in the base transfers.
type receiverOT struct {
	instance
	hash    func(i int, row []byte) *secp.Scalar
	y       *secp.Scalar
	public  *secp.Point
	choices []byte // one bit for each row
	t       [][]byte
	u       []byte // columns U, one after another
	byRow   [][keyLen]byte
}

// newReceiverOT draws y and the choices.
func newReceiverOT(in instance, random io.Reader) (*receiverOT, error) {
	r := &receiverOT{instance: in, hash: in.rowHash(), choices: make([]byte, column)}
	var err error
	r.y, err = secp.Uniform(random)
	if err != nil {
		return nil, err
	}
	_, err = io.ReadFull(random, r.choices)
	if err != nil {
		return nil, errors.Join(secp.ErrRandom, err)
	}
	r.public = secp.Base(r.y)
	if r.public.IsIdentity() {
		return nil, secp.ErrZero
	}
	return r, nil
}

// errChoice says that X_i = Y, which gives a publicly known key.
var errChoice = errors.New("a point of the base oblivious transfer is Y")

// receivePoints computes y·X_i and y·X_i - y·Y, and both columns of each base
// transfer from them, and the columns U_j = T⁰_j ⊕ T¹_j ⊕ b.
func (r *receiverOT) receivePoints(xs []*secp.Point) error {
	encodedY, shift := r.public.Encode(), r.public.Times(r.y)
	r.u = make([]byte, 0, baseOTs*column)
	for j, x := range xs {
		first := x.Times(r.y)
		second := first.Minus(shift)
		if first.IsIdentity() || second.IsIdentity() {
			return errChoice
		}
		encodedX := x.Encode()
		t0 := r.column(r.baseKey(j, encodedX, encodedY, first.Encode()))
		t1 := r.column(r.baseKey(j, encodedX, encodedY, second.Encode()))
		xor(t1, t0)
		xor(t1, r.choices)
		r.u = append(r.u, t1...)
		r.t = append(r.t, t0)
	}
	r.byRow = transpose(r.t)
	return nil
}

// answer returns x, t_0, t_1, … for the seed of the check.
func (r *receiverOT) answer(seed []byte) []byte {
	weights := newWeights(seed)
	answer := weights.sum(r.choices)
	for _, t := range r.t {
		answer = append(answer, weights.sum(t)...)
	}
	return answer
}

// chosen returns v^b of a row with its bit b.
func (r *receiverOT) chosen(i int) (v *secp.Scalar, b byte) {
	return r.hash(i, r.byRow[i][:]), bit(r.choices, i)
}

// transpose returns the rows of a matrix of 128 columns, in words of 64 bits.
func transpose(columns [][]byte) [][keyLen]byte {
	out := make([][keyLen]byte, rows)
	var block [64]uint64
	for half := range 2 { // columns 0 … 63, 64 … 127
		for word := range rows / 64 {
			for j := range block {
				block[j] = binary.LittleEndian.Uint64(columns[64*half+j][8*word:])
			}
			transpose64(&block)
			for i, v := range block {
				binary.LittleEndian.PutUint64(out[64*word+i][8*half:], v)
			}
		}
	}
	return out
}

// transpose64 transposes 64×64 bits in place by swapping blocks of half the size
// (Warren, Hacker's Delight, section 7-3); bit i of word j is row i, column j.
func transpose64(m *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for size := 32; size > 0; size /= 2 {
		for j := 0; j < 64; j = (j + size + 1) &^ size {
			t := (m[j]>>size ^ m[j+size]) & mask
			m[j] ^= t << size
			m[j+size] ^= t
		}
		mask ^= mask << (size / 2)
	}
}

// weights are the polynomials χ_c over GF(2), with their multiples by all
// polynomials of degree below 4.
type weights [chunks][16][3]uint64

func newWeights(seed []byte) *weights {
	w := new(weights)
	raw := checkWeights(seed)
	for c := range w {
		chi := [3]uint64{binary.LittleEndian.Uint64(raw[16*c:]), binary.LittleEndian.Uint64(raw[16*c+8:])}
		for nibble := range w[c] {
			for shift := range 4 {
				if nibble>>shift&1 == 1 {
					w[c][nibble][0] ^= chi[0] << shift
					w[c][nibble][1] ^= chi[1]<<shift | chi[0]>>(64-shift)
					w[c][nibble][2] ^= chi[1] >> (64 - shift)
				}
			}
		}
	}
	return w
}

// sum returns Σ v_c·χ_c without reduction, where v_c is the c-th chunk of 128 bits.
func (w *weights) sum(v []byte) []byte {
	var total [4]uint64
	for c := range w {
		var product [4]uint64
		for i := 31; i >= 0; i-- { // nibbles from the top
			product[3] = product[3]<<4 | product[2]>>60
			product[2] = product[2]<<4 | product[1]>>60
			product[1] = product[1]<<4 | product[0]>>60
			product[0] <<= 4
			multiple := &w[c][v[16*c+i/2]>>(4*(i%2))&15]
			product[0] ^= multiple[0]
			product[1] ^= multiple[1]
			product[2] ^= multiple[2]
		}
		for i, p := range product {
			total[i] ^= p
		}
	}
	out := make([]byte, 0, checked)
	for _, t := range total {
		out = binary.LittleEndian.AppendUint64(out, t)
	}
	return out
}
