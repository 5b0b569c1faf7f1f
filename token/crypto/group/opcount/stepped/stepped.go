// Package stepped wraps a group.Group and tells an observer the phase of a
// protocol where each call happens.
//
// A call through the view of a phase belongs to the step of that phase; work
// between calls belongs to the operation. Calls that package opcount does not
// count, such as additions of scalars, are not observed. Results are the ones
// of the underlying Group.
package stepped

import "github.com/zkatbench/zkatbench/token/crypto/group"

// step is a part of an operation with attributed costs. Package
// bench/step implements it.
type step[S any] interface {
	// Step returns the step called name below this one.
	Step(name string) S
	// Begin enters the step, Leave returns to the previous one.
	Begin()
	Leave()
}

// Wrap returns g with its calls observed as part of step; calls in phases
// belong to steps below it.
func Wrap[S step[S]](g group.Group, step S) group.Group { return &observed[S]{g, step} }

// observed embeds the Group that does the work. Methods that it does not
// override are not observed.
type observed[S step[S]] struct {
	group.Group
	step S
}

// Phase implements group.Observer.
func (o *observed[S]) Phase(name string) group.Group {
	return &observed[S]{group.Phase(o.Group, name), o.step.Step(name)}
}

// CountPairing passes the count on.
func (o *observed[S]) CountPairing(n int) { group.CountPairing(o.Group, n) }

// CountSignatures passes the count on.
func (o *observed[S]) CountSignatures(n int, signature func(i int) group.Signature) {
	group.CountSignatures(o.Group, n, signature)
}

// CountDecode passes the count on.
func (o *observed[S]) CountDecode(n int) { group.CountDecode(o.Group, n) }

// Enter implements group.Stepper.
func (o *observed[S]) Enter(name string) (leave func()) {
	s := o.step.Step(name)
	s.Begin()
	return s.Leave
}

// enter enters the step; the caller must call Leave on the result.
func (o *observed[S]) enter() S {
	o.step.Begin()
	return o.step
}

func (o *observed[S]) Mul(a, b group.Scalar) group.Scalar {
	defer o.enter().Leave()
	return o.Group.Mul(a, b)
}

func (o *observed[S]) Inv(a group.Scalar) group.Scalar {
	defer o.enter().Leave()
	return o.Group.Inv(a)
}

func (o *observed[S]) MulVec(dst, a, b []group.Scalar) {
	defer o.enter().Leave()
	o.Group.MulVec(dst, a, b)
}

func (o *observed[S]) ScaleVec(dst, a []group.Scalar, c group.Scalar) {
	defer o.enter().Leave()
	o.Group.ScaleVec(dst, a, c)
}

func (o *observed[S]) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	defer o.enter().Leave()
	o.Group.FoldVec(dst, a, b, x, y)
}

func (o *observed[S]) InvVec(dst, a []group.Scalar) {
	defer o.enter().Leave()
	o.Group.InvVec(dst, a)
}

func (o *observed[S]) Powers(dst []group.Scalar, x group.Scalar) {
	defer o.enter().Leave()
	o.Group.Powers(dst, x)
}

func (o *observed[S]) Inner(a, b []group.Scalar) group.Scalar {
	defer o.enter().Leave()
	return o.Group.Inner(a, b)
}

func (o *observed[S]) AppendPoint(dst []byte, p group.Point) []byte {
	defer o.enter().Leave()
	return o.Group.AppendPoint(dst, p)
}

func (o *observed[S]) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	defer o.enter().Leave()
	return o.Group.AppendPoints(dst, prefix, ps)
}

func (o *observed[S]) DecodePoint(b []byte) (group.Point, error) {
	defer o.enter().Leave()
	return o.Group.DecodePoint(b)
}

func (o *observed[S]) DecodePoints(dst []group.Point, bs [][]byte) (int, error) {
	defer o.enter().Leave()
	return o.Group.DecodePoints(dst, bs)
}

func (o *observed[S]) HashToPoint(msg []byte) group.Point {
	defer o.enter().Leave()
	return o.Group.HashToPoint(msg)
}

func (o *observed[S]) AddPoints(p, q group.Point) group.Point {
	defer o.enter().Leave()
	return o.Group.AddPoints(p, q)
}

func (o *observed[S]) SubPoints(p, q group.Point) group.Point {
	defer o.enter().Leave()
	return o.Group.SubPoints(p, q)
}

func (o *observed[S]) SubPointVec(dst, ps, qs []group.Point) {
	defer o.enter().Leave()
	o.Group.SubPointVec(dst, ps, qs)
}

func (o *observed[S]) MSMs(dst []group.Point, rows []group.Terms) {
	defer o.enter().Leave()
	o.Group.MSMs(dst, rows)
}

func (o *observed[S]) NewTable(ps []group.Point, budget int) group.Table {
	defer o.enter().Leave()
	return o.Group.NewTable(ps, budget)
}

func (o *observed[S]) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	defer o.enter().Leave()
	o.Group.FixedMSM(dst, t, rows)
}

func (o *observed[S]) NewBitTable(one, zero []group.Point) group.BitTable {
	defer o.enter().Leave()
	return o.Group.NewBitTable(one, zero)
}

func (o *observed[S]) SumBits(t group.BitTable, v uint64) group.Point {
	defer o.enter().Leave()
	return o.Group.SumBits(t, v)
}

func (o *observed[S]) NewDigitTable(ps []group.Point) group.DigitTable {
	defer o.enter().Leave()
	return o.Group.NewDigitTable(ps)
}

func (o *observed[S]) AddDigits(dst []group.Point, t group.DigitTable, rows [][]uint8) {
	defer o.enter().Leave()
	o.Group.AddDigits(dst, t, rows)
}

func (o *observed[S]) DecodeCurvePoint(b []byte) (group.CurvePoint, error) {
	defer o.enter().Leave()
	return o.Group.DecodeCurvePoint(b)
}

func (o *observed[S]) CurveSum(t group.Table, row group.Row, ps []group.CurvePoint, ss []group.Scalar) group.CurvePoint {
	defer o.enter().Leave()
	return o.Group.CurveSum(t, row, ps, ss)
}
