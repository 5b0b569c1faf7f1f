package params_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/pb"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// edited decodes parameters after edit changed their inner message.
func edited(t *testing.T, p *params.Params, edit func(m *pb.PublicParameters)) error {
	t.Helper()
	var e struct {
		Identifier string `json:"identifier"`
		Raw        []byte `json:"raw"`
	}
	require.NoError(t, json.Unmarshal(p.Encode(), &e))
	m := new(pb.PublicParameters)
	require.NoError(t, wire.Unmarshal("test", e.Raw, m, wire.Limits{}))
	edit(m)
	var err error
	e.Raw, err = wire.Marshal(m)
	require.NoError(t, err)
	b, err := json.Marshal(e)
	require.NoError(t, err)
	_, err = params.Decode(b, options)
	return err
}

// TestEachRuleOfParameters breaks one rule at a time.
func TestEachRuleOfParameters(t *testing.T) {
	p := setup(t, "BN254", 16, rangeproof.CSP)
	other := setup(t, "BN254", 16, rangeproof.Bulletproof)
	g := p.Group()
	point := func(pt group.Point) *pb.G1 { return &pb.G1{Raw: wire.AppendJSONPoint(nil, g, pt)} }
	many := make([]*pb.Identity, 1025)
	for i := range many {
		many[i] = &pb.Identity{Raw: []byte{1}}
	}
	require.NoError(t, edited(t, p, func(*pb.PublicParameters) {}))
	for name, c := range map[string]struct {
		edit func(m *pb.PublicParameters)
		want error
	}{
		"driver":    {func(m *pb.PublicParameters) { m.TokenDriverName = "fabtoken" }, params.ErrInvalid},
		"version":   {func(m *pb.PublicParameters) { m.TokenDriverVersion = 2 }, params.ErrInvalid},
		"curve id":  {func(m *pb.PublicParameters) { m.CurveId.Id = 9 }, group.ErrUnknownCurve},
		"many":      {func(m *pb.PublicParameters) { m.Issuers = many }, wire.ErrTooLarge},
		"max token": {func(m *pb.PublicParameters) { m.MaxToken-- }, params.ErrInvalid},
		"precision": {func(m *pb.PublicParameters) { m.QuantityPrecision = 32 }, params.ErrInvalid},
		"two bases": {func(m *pb.PublicParameters) { m.PedersenGenerators = m.PedersenGenerators[:2] }, params.ErrInvalid},
		"more lists": {func(m *pb.PublicParameters) {
			l := m.CspRangeProofParams
			l.LeftGenerators = append(l.LeftGenerators, point(g.Generator()))
		}, wire.ErrCount},
		"fewer":    {func(m *pb.PublicParameters) { l := m.CspRangeProofParams; l.LeftGenerators = l.LeftGenerators[1:] }, wire.ErrCount},
		"identity": {func(m *pb.PublicParameters) { m.CspRangeProofParams.LeftGenerators[3] = point(group.Point{}) }, group.ErrIdentity},
		"last": {func(m *pb.PublicParameters) {
			l := m.CspRangeProofParams.RightGenerators
			l[len(l)-1] = point(g.Generator())
		}, params.ErrInvalid},
		"equal": {func(m *pb.PublicParameters) {
			l := m.CspRangeProofParams
			l.LeftGenerators[1] = l.LeftGenerators[2]
		}, params.ErrInvalid},
		"no key": {func(m *pb.PublicParameters) { m.IdemixIssuerPublicKeys = nil }, params.ErrInvalid},
	} {
		require.ErrorIs(t, edited(t, p, c.edit), c.want, name)
	}
	err := edited(t, other, func(m *pb.PublicParameters) { m.RangeProofParams.Q = point(g.Generator()) })
	require.ErrorIs(t, err, params.ErrInvalid, "a generator of Bulletproofs")
	long := make([]byte, 9<<20)
	_, err = params.Decode(long, options)
	require.ErrorIs(t, err, wire.ErrTooLarge)
}

// TestViewsAreTheSameParameters: a view for counting has their digest.
func TestViewsAreTheSameParameters(t *testing.T) {
	p := setup(t, "BN254", 16)
	require.Equal(t, p.Digest(), p.On(p.Group()).Digest())
	require.Equal(t, p.AnchorPrefix(), p.On(p.Group()).AnchorPrefix())
}
