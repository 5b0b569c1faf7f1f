package suite

import (
	"math"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Size is the number of bytes that a party receives, as the specification states
// it: docs/spec/threshold.md, section 3. Under codec.Near, a random byte takes one
// byte or two, so the size is a random variable.
type Size struct {
	Mean, StdDev float64
}

// encoded is the size of a part of a message under both codecs.
type encoded struct {
	compact int // bytes
	fixed   int // bytes under Near, without the random bytes
	random  int // uniformly random bytes, which take 1.5 bytes on average
}

func (e encoded) plus(others ...encoded) encoded {
	for _, o := range others {
		e.compact, e.fixed, e.random = e.compact+o.compact, e.fixed+o.fixed, e.random+o.random
	}
	return e
}

func (e encoded) times(n int) encoded { return encoded{n * e.compact, n * e.fixed, n * e.random} }

// header is the header of an array of n elements under Near.
func header(n int) encoded {
	if n > 15 {
		return encoded{fixed: 3}
	}
	return encoded{fixed: 1}
}

// array is an array of n equal elements.
func array(n int, element encoded) encoded { return header(n).plus(element.times(n)) }

// tuple is a struct of different fields.
func tuple(fields ...encoded) encoded { return header(len(fields)).plus(fields...) }

// message adds the frame.
func message(body encoded) encoded { return encoded{engine.Frame, engine.Frame, 0}.plus(body) }

// The parts. The first byte of a compressed point of secp256k1 is 2 or 3, the last
// one of a scalar of Ed25519 is below 0x11.
var (
	word       = encoded{8, 9, 0}
	random32   = encoded{32, 3, 32} // scalars of secp256k1, hashes, points of Ed25519
	secpPoint  = encoded{33, 4, 32}
	edScalar   = encoded{32, 4, 31}
	edPrefix   = encoded{0, len(codec.Prefix), 0}
	proofPair  = array(2, random32)
	pointProof = tuple(secpPoint, proofPair)
	product256 = array(4, word) // of two polynomials over GF(2), unreduced
)

// perPeer are the messages from each other party to the coordinator.
var perPeer = map[string]encoded{
	frostSign: message(edPrefix.plus(array(2, random32))).plus(message(edPrefix.plus(header(1),
		edScalar))),
	frostPresign:       message(edPrefix.plus(array(2, random32))),
	frostPresignedSign: message(edPrefix.plus(header(1), edScalar)),
	robustPresign: message(array(5, random32)).plus(message(tuple(secpPoint, random32)),
		message(secpPoint)),
	robustSign: message(random32),
	otPresign:  message(random32).plus(message(array(2, random32))),
	otSign:     message(random32),
}

// triplesPerPeer are the messages of one other party to a party that is
// multiplication receiver in half of its pairs: one pair in each role. t is the
// number of parties.
func triplesPerPeer(t int) encoded {
	polynomial := func(points int) encoded { return tuple(array(points, secpPoint)) }
	opened := tuple(polynomial(t), polynomial(t), polynomial(t-1), random32, proofPair, proofPair)
	shared := message(array(2, random32)).times(3).plus( // commitments, confirmations, ĉ
		message(array(2, opened)), message(array(2, array(2, random32))),
		message(array(2, pointProof)).times(2))
	asReceiver := message(secpPoint).times(128).plus(message(random32),
		message(tuple(array(384, array(2, random32)))).times(2))
	asSender := message(secpPoint).plus(message(tuple(array(1024, array(2, word)))),
		message(tuple(product256, tuple(array(128, product256)))), message(array(2, random32)).times(2))
	return shared.plus(asReceiver, asSender)
}

// Expected returns the size that the specification states for the coordinator; for
// triples it is the mean over all parties. The mean of a case without specification
// is not a number.
func (s Scenario) Expected() Size {
	peer, specified := perPeer[s.Case]
	if s.Case == otTriples {
		peer, specified = triplesPerPeer(s.Parties()), true
	}
	if !specified {
		return Size{Mean: math.NaN()}
	}
	all := peer.times(s.Parties() - 1)
	if s.Codec == codec.Compact {
		return Size{Mean: float64(all.compact)}
	}
	return Size{Mean: float64(all.fixed) + 1.5*float64(all.random),
		StdDev: math.Sqrt(float64(all.random)) / 2}
}

// OfAll reports whether the size is the mean over all parties.
func (s Scenario) OfAll() bool { return s.Case == otTriples }

// Received returns the size to compare with Expected, from the bytes that each
// party received; 0 for no party.
func (s Scenario) Received(byParty []int) float64 {
	if len(byParty) == 0 {
		return 0
	}
	if !s.OfAll() {
		return float64(byParty[min(int(s.coordinator()), len(byParty))-1])
	}
	sum := 0
	for _, b := range byParty {
		sum += b
	}
	return float64(sum) / float64(len(byParty))
}
