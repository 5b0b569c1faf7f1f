package presentation

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// points lists the points of a message. They are decoded last: one point takes
// longer than all other fields.
type points struct {
	messageName wire.Name
	list        []point
	result      error // of decoding
}

// point is an encoded point of the group or, if to is nil, a commitment: a point
// of the curve, which is kept as its uncompressed encoding.
type point struct {
	field      string
	raw        []byte
	to         *group.Point
	commitment *[]byte
}

// Points decodes the points of identities and of signatures with the same
// indices; a signature may be nil. Error i is nil or a *wire.DecodeError, of
// signature i if both are wrong. It is the same if the points were decoded before.
func (s *Scheme) Points(ids []*Identity, signatures []*Signature) []error {
	messages := make([]*points, 0, 2*len(ids))
	for i := range ids {
		if signatures[i] != nil {
			messages = append(messages, &signatures[i].points)
		}
		messages = append(messages, &ids[i].points)
	}
	s.decode(messages)
	errs := make([]error, len(ids))
	for i := range errs {
		errs[i] = ids[i].result
		if signatures[i] != nil && signatures[i].result != nil {
			errs[i] = signatures[i].result
		}
	}
	return errs
}

// decodeOne decodes the points of one message.
func (s *Scheme) decodeOne(ps *points) error {
	s.decode([]*points{ps})
	return ps.result
}

// place is a point of a message.
type place struct {
	of *points
	*point
}

// decode decodes the points of all messages that are not decoded yet. It stops at
// the first wrong point of a message.
func (s *Scheme) decode(messages []*points) {
	var open []place
	for _, ps := range messages {
		for i := range ps.list {
			open = append(open, place{ps, &ps.list[i]})
		}
	}
	group.CountWork(s.group, group.Decodings, len(open))
	s.decodePoints(open)
	for _, ps := range messages {
		ps.list = nil
	}
}

// fail records the first error of a message.
func (p place) fail(err error) {
	if p.of.result == nil {
		p.of.result = p.of.messageName.Bad(p.field, err)
	}
}

// strict decodes points on a curve without cofactor.
func strict(g group.Group) func([]place) {
	return func(open []place) {
		for _, p := range open {
			if p.of.result != nil {
				continue
			}
			v, err := g.DecodePoint(p.raw)
			if err == nil && group.IsIdentity(v) {
				err = group.ErrIdentity
			}
			if err != nil {
				p.fail(err)
			}
			*p.to = v
		}
	}
}

// decodeAll decodes points of the curve, and then checks together that all but
// commitments are in the group.
func decodeAll(g *bls12381.Group) func([]place) {
	return func(open []place) {
		raws, read := make([][]byte, len(open)), make([]group.CurvePoint, len(open))
		for i, p := range open {
			raws[i] = p.raw
		}
		for i, err := range g.DecodeCurvePoints(read, raws) {
			if err == nil && read[i] == (group.CurvePoint{}) {
				err = group.ErrIdentity
			}
			if err != nil {
				open[i].fail(err)
			}
		}
		var unchecked []place
		var candidates []group.CurvePoint
		for i, p := range open {
			switch {
			case p.of.result != nil:
			case p.to == nil:
				*p.commitment = group.AppendCurvePoint(g, nil, read[i])
			default:
				unchecked, candidates = append(unchecked, p), append(candidates, read[i])
			}
		}
		inGroup(g, unchecked, candidates)
	}
}

// inGroup stores the candidates of places that are in the group.
func inGroup(g *bls12381.Group, places []place, candidates []group.CurvePoint) {
	values := make([]group.Point, len(candidates))
	for len(candidates) > 0 {
		n := g.InGroup(values, candidates)
		for i := range n {
			*places[i].to = values[i]
		}
		if n == len(candidates) {
			return
		}
		places[n].fail(group.ErrNotInSubgroup)
		places, candidates = places[n+1:], candidates[n+1:]
	}
}
