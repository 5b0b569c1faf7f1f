package otecdsa

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// The errors of the checks of triples.
var (
	ErrCommitment = errors.New("opening is not that of the commitment")
	errAgreement  = errors.New("parties have seen other commitments")
	errProduct    = errors.New("products of all parties do not add up to C")
)

// batch is the number of triples that are made together.
const batch = 2

// The steps of the messages; a pair's begin with the triple, "t0/".
const (
	stepCommit   = "commit"
	stepConfirm  = "confirm"
	stepOpening  = "opening"
	stepShares   = "shares"
	stepProducts = "C"
	stepSums     = "C hat"
	stepLast     = "c hat"
)

func step(triple int, name string) string { return fmt.Sprintf("t%d/%s", triple, name) }
func stepX(triple, i int) string          { return stepsX[triple][i] }
func stepMask(triple, k int) string       { return fmt.Sprintf("t%d/mask/%d", triple, k) }
func stepChi(triple, k int) string        { return fmt.Sprintf("t%d/chi/%d", triple, k) }

// stepsX are the steps of the points X_i.
var stepsX = func() (steps [batch][baseOTs]string) {
	for triple := range steps {
		for i := range steps[triple] {
			steps[triple][i] = fmt.Sprintf("t%d/x/%d", triple, i)
		}
	}
	return steps
}()

var (
	shapeHashes = codec.Plain(32, 32)
	shapeFour   = codec.Plain(32, 32, 32, 32).As(codec.Repeat(2, codec.Repeat(2, codec.Bytes(32))))
	shapePoint  = codec.Plain(secp.PointLen)
	shapeProofs = codec.Plain(secp.PointLen, proofLen, secp.PointLen, proofLen).
			As(codec.Repeat(batch, codec.Array(codec.Bytes(secp.PointLen), layoutProof)))
	shapeU      = codec.Plain(baseOTs * column).As(codec.Array(codec.Repeat(rows, codec.Words(baseOTs/64))))
	shapeSeed   = codec.Plain(32)
	shapeAnswer = codec.Plain(slices.Repeat([]int{checked}, baseOTs+1)...).
			As(codec.Array(layoutChecked, codec.Array(codec.Repeat(baseOTs, layoutChecked))))
	shapeMask = codec.Plain(slices.Repeat([]int{secp.ScalarLen}, 2*kappa)...).
			As(codec.Array(codec.Repeat(kappa, codec.Repeat(2, codec.Bytes(secp.ScalarLen)))))
	shapeChi  = codec.Plain(secp.ScalarLen, 32)
	shapeLast = codec.Plain(32, 32)
)

// Parts of messages under codec.Near: vectors of bits are words, and structs are
// arrays of their fields.
var (
	layoutProof   = codec.Repeat(2, codec.Bytes(secp.ScalarLen))
	layoutChecked = codec.Words(checked / 8)
)

// openingShape is the shape of the coefficients of both triples: E and F of t
// points, L without its constant term, the opening of the commitment, two proofs.
func openingShape(t int) codec.Shape {
	one := slices.Concat(slices.Repeat([]int{secp.PointLen}, 3*t-1), []int{32, proofLen, proofLen})
	polynomial := func(n int) codec.Layout { return codec.Array(codec.Repeat(n, codec.Bytes(secp.PointLen))) }
	opened := codec.Array(polynomial(t), polynomial(t), polynomial(t-1), codec.Bytes(32), layoutProof,
		layoutProof)
	return codec.Plain(slices.Concat(one, one)...).As(codec.Repeat(batch, opened))
}

// making is one triple in the making.
type making struct {
	e, f, l      secp.Polynomial
	coefficients [3][]*secp.Point // E, F, L of this party
	r            []byte
	commitments  [][]byte // by position of the party
	sid          []byte
	sumE, sumF   []*secp.Point // coefficients of all parties added up
	sumL         []*secp.Point
	a, b, c      *secp.Scalar                // shares of the sums
	openings     map[uint32][3][]*secp.Point // E, F, L of each other party
	sent         map[uint32][3]*secp.Scalar  // e(i), f(i), ĉ(i) from each other party
	sums         map[uint32]*secp.Point      // Ĉ of each other party
	c0           *secp.Point                 // Σ C
	products     map[uint32]*product         // by peer
	product      *secp.Scalar                // l₀
}

// maker is one party.
type maker struct {
	Config
	self    uint32
	random  io.Reader
	keep    func([batch]*Triple)
	triples [batch]*making
	result  []byte
}

// NewTripleMaker returns a party that makes two triples in nine rounds. keep
// receives them when the party is done. The output is both triples with this
// party's shares.
func NewTripleMaker(c Config, self uint32, random io.Reader, keep func([batch]*Triple)) engine.Party {
	m := &maker{Config: c, self: self, random: random, keep: keep}
	others := func(steps ...string) []engine.Slot { return engine.From(c.IDs, self, steps...) }
	return &engine.Machine{Self: self, Result: func() []byte { return m.result }, Rounds: []engine.Round{
		{Work: m.commit},
		{Expect: others(stepCommit), Work: m.open},
		{Expect: append(others(stepConfirm, stepOpening, stepShares), m.fromReceivers("y")...),
			Work: m.checkShares},
		{Expect: append(others(stepProducts), m.fromSendersX()...), Work: m.checkProducts},
		{Expect: m.fromReceivers("u"), Work: m.extend},
		{Expect: m.fromSenders("seed"), Work: m.answer},
		{Expect: m.fromReceivers("answer"), Work: m.mask},
		{Expect: m.fromSenders("mask/0", "mask/1"), Work: m.unmask},
		{Expect: m.fromReceivers("chi/0", "chi/1"), Work: m.settle},
		{Expect: others(stepSums, stepLast), Work: m.finish},
	}}
}

// eachPair calls f for each multiplication of this party.
func (m *maker) eachPair(f func(triple int, peer uint32, sends bool)) {
	for triple := range batch {
		for _, peer := range secp.Others(m.IDs, m.self) {
			f(triple, peer, sends(triple, m.self, peer))
		}
	}
}

// fromReceivers returns the slots of steps from parties where this one is the
// sender, fromSenders the slots where it is the receiver.
func (m *maker) fromReceivers(names ...string) []engine.Slot { return m.slots(true, names) }
func (m *maker) fromSenders(names ...string) []engine.Slot   { return m.slots(false, names) }

func (m *maker) slots(asSender bool, names []string) (slots []engine.Slot) {
	m.eachPair(func(triple int, peer uint32, sends bool) {
		for _, name := range names {
			if sends == asSender {
				slots = append(slots, engine.Slot{From: peer, Step: step(triple, name)})
			}
		}
	})
	return slots
}

func (m *maker) fromSendersX() (slots []engine.Slot) {
	m.eachPair(func(triple int, peer uint32, sends bool) {
		for i := 0; i < baseOTs && !sends; i++ {
			slots = append(slots, engine.Slot{From: peer, Step: stepX(triple, i)})
		}
	})
	return slots
}

// commit draws the polynomials and commits to their coefficients.
func (m *maker) commit(engine.Inbox) ([]engine.Message, error) {
	var hashes [][]byte
	degree := len(m.IDs) - 1
	for i := range m.triples {
		t := &making{r: make([]byte, 32), products: map[uint32]*product{},
			openings: map[uint32][3][]*secp.Point{}, sent: map[uint32][3]*secp.Scalar{},
			sums: map[uint32]*secp.Point{}}
		m.triples[i] = t
		for k, p := range []*secp.Polynomial{&t.e, &t.f, &t.l} {
			var err error
			*p, err = secp.NewPolynomial(m.random, degree, p == &t.l)
			if err != nil {
				return nil, err
			}
			points := p.Commit()
			if p == &t.l {
				points = points[1:]
			}
			t.coefficients[k] = points
		}
		if _, err := io.ReadFull(m.random, t.r); err != nil {
			return nil, errors.Join(secp.ErrRandom, err)
		}
		hashes = append(hashes, commitment(t.r, t.coefficients))
	}
	return []engine.Message{{Step: stepCommit, Body: m.Codec.Pack(shapeHashes, hashes...)}}, nil
}

// commitment is SHA-256(⟨commit⟩ ‖ r ‖ E ‖ F ‖ L).
func commitment(r []byte, coefficients [3][]*secp.Point) []byte {
	parts := [][]byte{r}
	for _, points := range coefficients {
		parts = append(parts, encodePoints(points)...)
	}
	return hash256("commit", parts...)
}

// open sends the confirmation of all commitments, the opening of the own one with
// proofs, and each party's shares; as receiver of a multiplication also Y.
func (m *maker) open(in engine.Inbox) (out []engine.Message, err error) {
	for i, t := range m.triples {
		t.commitments = make([][]byte, len(m.IDs))
		for k, id := range m.IDs {
			if id == m.self {
				t.commitments[k] = commitment(t.r, t.coefficients)
				continue
			}
			if err := in.Read(id, stepCommit,
				m.Codec.Decoder(shapeHashes, func(f [][]byte) error {
					t.commitments[k] = f[i]
					return nil
				})); err != nil {
				return nil, err
			}
		}
		t.sid = hash256("confirm", u32(uint32(i)), bytes.Join(t.commitments, nil))
	}
	out = append(out,
		engine.Message{Step: stepConfirm,
			Body: m.Codec.Pack(shapeHashes, m.triples[0].sid, m.triples[1].sid)})
	opening, err := m.opening()
	if err != nil {
		return nil, err
	}
	out = append(out, opening)
	for _, id := range secp.Others(m.IDs, m.self) {
		var fields [][]byte
		for _, t := range m.triples {
			fields = append(fields, secp.Encode(t.e.At(id)), secp.Encode(t.f.At(id)))
		}
		out = append(out, engine.Message{To: id, Step: stepShares, Body: m.Codec.Pack(shapeFour, fields...)})
	}
	m.eachPair(func(triple int, peer uint32, sends bool) {
		t := m.triples[triple]
		p := &product{triple: triple, peer: peer, a: t.e[0], b: t.f[0], share: new(secp.Scalar)}
		t.products[peer] = p
		if sends || err != nil {
			return
		}
		p.recv, err = newReceiverOT(instance{t.sid, peer, m.self}, m.random)
		if err == nil {
			out = append(out,
				engine.Message{To: peer, Step: step(triple, "y"),
					Body: m.Codec.Pack(shapePoint, p.recv.public.Encode())})
		}
	})
	return out, err
}

// opening is the message with the coefficients and the proofs of E(0) and F(0).
func (m *maker) opening() (engine.Message, error) {
	var fields [][]byte
	for i, t := range m.triples {
		for _, points := range t.coefficients {
			fields = append(fields, encodePoints(points)...)
		}
		fields = append(fields, t.r)
		secrets := [2]*secp.Scalar{t.e[0], t.f[0]}
		for k, label := range []string{"E", "F"} {
			known := claim{sid: t.sid, prover: m.self, label: label, triple: i}
			proof, err := known.prove(m.random, secrets[k], t.coefficients[k][0])
			if err != nil {
				return engine.Message{}, err
			}
			fields = append(fields, proof)
		}
	}
	return engine.Message{Step: stepOpening, Body: m.Codec.Pack(openingShape(len(m.IDs)), fields...)}, nil
}

// checkShares checks confirmations, openings, proofs and shares, and sends
// C = e(0)·F(0) with its proof; as sender of a multiplication also X_0, X_1, ….
func (m *maker) checkShares(in engine.Inbox) (out []engine.Message, err error) {
	if err := m.readOpenings(in); err != nil {
		return nil, err
	}
	var fields [][]byte
	for i, t := range m.triples {
		at := secp.Powers(m.self, len(t.sumE))
		if !secp.Sum(t.sumE, at).Equal(secp.Base(t.a)) || !secp.Sum(t.sumF, at).Equal(secp.Base(t.b)) {
			return nil, m.wrongShare(t)
		}
		if t.sumE[0].IsIdentity() || t.sumF[0].IsIdentity() {
			return nil, secp.ErrZero
		}
		c := t.sumF[0].Times(t.e[0])
		equal := equality{sid: t.sid, prover: m.self, triple: i, e: t.coefficients[0][0], f: t.sumF[0], c: c}
		proof, err := equal.prove(m.random, t.e[0])
		if err != nil {
			return nil, err
		}
		t.c0 = c
		fields = append(fields, c.Encode(), proof)
	}
	out = append(out, engine.Message{Step: stepProducts, Body: m.Codec.Pack(shapeProofs, fields...)})
	points, err := m.pairs(in, true, "y", shapePoint,
		func(p *product, f [][]byte) (xs []engine.Message, err error) {
			y, err := secp.DecodePoint(f[0])
			if err != nil {
				return nil, err
			}
			p.sender, err = newSenderOT(instance{m.triples[p.triple].sid, m.self, p.peer}, m.random,
				y)
			if err != nil {
				return nil, err
			}
			for i, x := range p.sender.points {
				xs = append(xs, engine.Message{Step: stepX(p.triple, i), Body: m.Codec.Pack(shapePoint, x)})
			}
			return xs, nil
		})
	return append(out, points...), err
}

// wrongShare returns the error of shares e(i) and f(i) that do not add up: it names the
// first party with a share that does not fit its coefficients.
func (m *maker) wrongShare(t *making) error {
	for _, id := range secp.Others(m.IDs, m.self) {
		for k := range 2 {
			coefficients := t.openings[id][k]
			if !secp.Sum(coefficients,
				secp.Powers(m.self, len(coefficients))).Equal(secp.Base(t.sent[id][k])) {
				return &engine.Fault{From: id, Step: stepShares, Err: ErrShares}
			}
		}
	}
	return ErrShares
}

// readOpenings reads the messages of all parties and adds up coefficients and
// shares.
func (m *maker) readOpenings(in engine.Inbox) error {
	n := len(m.IDs)
	for _, t := range m.triples {
		t.sumE, t.sumF, t.sumL = slices.Clone(t.coefficients[0]), slices.Clone(t.coefficients[1]),
			slices.Clone(t.coefficients[2])
		t.a, t.b = t.e.At(m.self), t.f.At(m.self)
	}
	for k, id := range m.IDs {
		if id == m.self {
			continue
		}
		err := in.Read(id, stepConfirm, m.Codec.Decoder(shapeHashes, func(f [][]byte) error {
			for i, t := range m.triples {
				if !bytes.Equal(f[i], t.sid) {
					return errAgreement
				}
			}
			return nil
		}))
		if err != nil {
			return err
		}
		err = in.Read(id, stepOpening, m.Codec.Decoder(openingShape(n), func(f [][]byte) error {
			for i, t := range m.triples {
				if err := t.take(f[i*len(f)/batch:][:len(f)/batch], id, i, t.commitments[k], n); err != nil {
					return err
				}
			}
			return nil
		}))
		if err != nil {
			return err
		}
		err = in.Read(id, stepShares, m.Codec.Decoder(shapeFour, func(f [][]byte) error {
			s, err := decodeScalars(f)
			if err != nil {
				return err
			}
			for i, t := range m.triples {
				t.a, t.b = secp.Add(t.a, s[2*i]), secp.Add(t.b, s[2*i+1])
				t.sent[id] = [3]*secp.Scalar{s[2*i], s[2*i+1]}
			}
			return nil
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// take checks the opening of one party and adds its coefficients to the sums.
func (t *making) take(fields [][]byte, id uint32, triple int, com []byte, n int) error {
	points, err := decodePoints(fields[:3*n-1])
	if err != nil {
		return err
	}
	coefficients := [3][]*secp.Point{points[:n], points[n : 2*n], points[2*n:]}
	if !bytes.Equal(commitment(fields[3*n-1], coefficients), com) {
		return ErrCommitment
	}
	for k, label := range []string{"E", "F"} {
		known := claim{sid: t.sid, prover: id, label: label, triple: triple}
		if err := known.verify(fields[3*n+k], coefficients[k][0]); err != nil {
			return err
		}
	}
	t.openings[id] = coefficients
	for k, sum := range []*[]*secp.Point{&t.sumE, &t.sumF, &t.sumL} {
		for i, p := range coefficients[k] {
			(*sum)[i] = (*sum)[i].Plus(p)
		}
	}
	return nil
}

// checkProducts checks the proofs of all C, and answers base transfers as receiver
// with the columns U.
func (m *maker) checkProducts(in engine.Inbox) (out []engine.Message, err error) {
	for _, id := range secp.Others(m.IDs, m.self) {
		err := in.Read(id, stepProducts, m.Codec.Decoder(shapeProofs, func(f [][]byte) error {
			for i, t := range m.triples {
				c, err := secp.DecodePoint(f[2*i])
				if err != nil {
					return err
				}
				equal := equality{sid: t.sid, prover: id, triple: i,
					e: t.openings[id][0][0], f: t.sumF[0], c: c}
				if err := equal.verify(f[2*i+1]); err != nil {
					return err
				}
				t.c0 = t.c0.Plus(c)
			}
			return nil
		}))
		if err != nil {
			return nil, err
		}
	}
	m.eachPair(func(triple int, peer uint32, sends bool) {
		if sends || err != nil {
			return
		}
		xs, recv := make([]*secp.Point, baseOTs), m.triples[triple].products[peer].recv
		for i := 0; i < baseOTs && err == nil; i++ {
			err = in.Read(peer, stepX(triple, i), m.Codec.Decoder(shapePoint, func(f [][]byte) error {
				xs[i], err = secp.DecodePoint(f[0])
				return err
			}))
		}
		if err != nil {
			return
		}
		if wrong := recv.receivePoints(xs); wrong != nil {
			err = &engine.Fault{From: peer, Step: step(triple, "x"), Err: wrong}
			return
		}
		out = append(out,
			engine.Message{To: peer, Step: step(triple, "u"), Body: m.Codec.Pack(shapeU, recv.u)})
	})
	return out, err
}

// pairs calls f for each multiplication where this party has a role, with the
// fields of one message of the peer, and collects the messages.
func (m *maker) pairs(in engine.Inbox, asSender bool, name string, shape codec.Shape,
	f func(p *product, fields [][]byte) ([]engine.Message, error)) (out []engine.Message, err error) {
	m.eachPair(func(triple int, peer uint32, sends bool) {
		if sends != asSender || err != nil {
			return
		}
		err = in.Read(peer, step(triple, name), m.Codec.Decoder(shape, func(fields [][]byte) error {
			messages, err := f(m.triples[triple].products[peer], fields)
			for i := range messages {
				messages[i].To = peer
			}
			out = append(out, messages...)
			return err
		}))
	})
	return out, err
}

// extend is the sender's answer to U: the seed of the check.
func (m *maker) extend(in engine.Inbox) ([]engine.Message, error) {
	return m.pairs(in, true, "u", shapeU, func(p *product, f [][]byte) ([]engine.Message, error) {
		p.sender.extend(f[0])
		p.sender.seed = make([]byte, 32)
		if _, err := io.ReadFull(m.random, p.sender.seed); err != nil {
			return nil, errors.Join(secp.ErrRandom, err)
		}
		return []engine.Message{{Step: step(p.triple, "seed"), Body: m.Codec.Pack(shapeSeed, p.sender.seed)}},
			nil
	})
}

// answer is the receiver's answer to the seed.
func (m *maker) answer(in engine.Inbox) ([]engine.Message, error) {
	return m.pairs(in, false, "seed", shapeSeed, func(p *product, f [][]byte) ([]engine.Message, error) {
		body := m.Codec.Pack(shapeAnswer, slices.Collect(slices.Chunk(p.recv.answer(f[0]), checked))...)
		return []engine.Message{{Step: step(p.triple, "answer"), Body: body}}, nil
	})
}

// mask checks the extension and sends the vectors of both products.
func (m *maker) mask(in engine.Inbox) ([]engine.Message, error) {
	return m.pairs(in, true, "answer", shapeAnswer,
		func(p *product, f [][]byte) (out []engine.Message, err error) {
			if err := p.sender.check(bytes.Join(f, nil)); err != nil {
				return nil, err
			}
			for k := range 2 {
				vector, err := p.mask(m.random, k)
				if err != nil {
					return nil, err
				}
				out = append(out,
					engine.Message{Step: stepMask(p.triple, k), Body: m.Codec.Pack(shapeMask, vector...)})
			}
			return out, nil
		})
}

// unmask is the receiver's answer to the vectors.
func (m *maker) unmask(in engine.Inbox) (out []engine.Message, err error) {
	for k := range 2 {
		messages, err := m.pairs(in, false, fmt.Sprintf("mask/%d", k), shapeMask,
			func(p *product, f [][]byte) ([]engine.Message, error) {
				seed := make([]byte, 32)
				if _, err := io.ReadFull(m.random, seed); err != nil {
					return nil, errors.Join(secp.ErrRandom, err)
				}
				first, err := p.unmask(k, f, seed)
				if err != nil {
					return nil, err
				}
				return []engine.Message{{Step: stepChi(p.triple, k),
					Body: m.Codec.Pack(shapeChi, secp.Encode(first), seed)}}, nil
			})
		if err != nil {
			return nil, err
		}
		out = append(out, messages...)
	}
	return out, nil
}

// settle ends the products as sender, and sends Ĉ = l₀·G with its proof and the
// shares of l.
func (m *maker) settle(in engine.Inbox) (out []engine.Message, err error) {
	for k := range 2 {
		_, err := m.pairs(in, true, fmt.Sprintf("chi/%d", k), shapeChi,
			func(p *product, f [][]byte) ([]engine.Message, error) {
				first, err := secp.DecodeScalar(f[0])
				if err == nil {
					p.settle(k, first, f[1])
				}
				return nil, err
			})
		if err != nil {
			return nil, err
		}
	}
	var fields [][]byte
	for i, t := range m.triples {
		t.product = secp.Mul(t.e[0], t.f[0])
		for _, p := range t.products {
			t.product = secp.Add(t.product, p.share)
		}
		point := secp.Base(t.product)
		if point.IsIdentity() {
			return nil, secp.ErrZero
		}
		known := claim{sid: t.sid, prover: m.self, label: "C", triple: i}
		proof, err := known.prove(m.random, t.product, point)
		if err != nil {
			return nil, err
		}
		fields = append(fields, point.Encode(), proof)
	}
	out = append(out, engine.Message{Step: stepSums, Body: m.Codec.Pack(shapeProofs, fields...)})
	for _, id := range secp.Others(m.IDs, m.self) {
		body := m.Codec.Pack(shapeLast, secp.Encode(m.triples[0].shareFor(id)),
			secp.Encode(m.triples[1].shareFor(id)))
		out = append(out, engine.Message{To: id, Step: stepLast, Body: body})
	}
	return out, nil
}

// shareFor returns ĉ(j) = l₀ + l(j).
func (t *making) shareFor(id uint32) *secp.Scalar { return secp.Add(t.product, t.l.At(id)) }

// finish checks Ĉ and the last shares: Σ Ĉ = C, and the shares lie on the
// polynomial.
func (m *maker) finish(in engine.Inbox) ([]engine.Message, error) {
	var made [batch]*Triple
	for i, t := range m.triples {
		constant := secp.Base(t.product)
		t.c = t.shareFor(m.self)
		for _, id := range secp.Others(m.IDs, m.self) {
			if err := m.readLast(in, id, i, t); err != nil {
				return nil, err
			}
			constant = constant.Plus(t.sums[id])
			t.c = secp.Add(t.c, t.sent[id][2])
		}
		if !constant.Equal(t.c0) {
			return nil, errProduct
		}
		all := append([]*secp.Point{constant}, t.sumL...)
		if !secp.Sum(all, secp.Powers(m.self, len(all))).Equal(secp.Base(t.c)) {
			return nil, m.wrongLast(t)
		}
		sumE, sumF := t.sumE, t.sumF
		made[i] = &Triple{
			A: sumE[0], B: sumF[0], C: t.c0, a: t.a, b: t.b, c: t.c,
			publicShares: func(id uint32) (a, b, c *secp.Point) {
				at := secp.Powers(id, len(all))
				return secp.Sum(sumE, at), secp.Sum(sumF, at), secp.Sum(all, at)
			},
		}
		m.result = append(m.result, made[i].encode()...)
	}
	m.keep(made)
	return nil, nil
}

// readLast reads Ĉ with its proof, and ĉ(i), of one party.
func (m *maker) readLast(in engine.Inbox, id uint32, i int, t *making) error {
	err := in.Read(id, stepSums, m.Codec.Decoder(shapeProofs, func(f [][]byte) (err error) {
		t.sums[id], err = secp.DecodePoint(f[2*i])
		if err != nil {
			return err
		}
		return claim{sid: t.sid, prover: id, label: "C", triple: i}.verify(f[2*i+1], t.sums[id])
	}))
	if err != nil {
		return err
	}
	return in.Read(id, stepLast, m.Codec.Decoder(shapeLast, func(f [][]byte) error {
		s, err := secp.DecodeScalar(f[i])
		t.sent[id] = [3]*secp.Scalar{2: s}
		return err
	}))
}

// wrongLast returns the error of shares ĉ(i) that do not add up: it names the first
// party with a share other than Ĉ + L(i).
func (m *maker) wrongLast(t *making) error {
	for _, id := range secp.Others(m.IDs, m.self) {
		all := append([]*secp.Point{t.sums[id]}, t.openings[id][2]...)
		if !secp.Sum(all, secp.Powers(m.self, len(all))).Equal(secp.Base(t.sent[id][2])) {
			return &engine.Fault{From: id, Step: stepLast, Err: ErrShares}
		}
	}
	return ErrShares
}
