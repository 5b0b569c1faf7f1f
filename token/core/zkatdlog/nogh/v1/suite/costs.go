package suite

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"slices"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/unitcost"
)

// costs measures the unit costs of the group of a case.
var costs = &bench.UnitCosts{
	Axes:    bench.Axes(Curve, backend),
	Key:     func(c bench.Case) string { return Curve.Of(c) + "/" + backend.Of(c) },
	Measure: measureCosts,
}

// measureCosts also measures tables of the sizes used by the parameters: the
// three generators of commitments, and 6 + 2n of range proofs with n bits.
func measureCosts(ctx context.Context, c bench.Case, o cost.Options) (*cost.Costs, error) {
	g, err := curves.Find(Curve.Of(c), backend.Of(c))
	if err != nil {
		return nil, err
	}
	tables := []unitcost.TableSize{{Points: 3, Budget: 2 << 20}}
	for _, bits := range []int{16, 32, 64} {
		tables = append(tables, unitcost.TableSize{Points: 6 + 2*bits})
	}
	unit, err := unitcost.Measure(ctx, g, tables, o)
	if err != nil {
		return nil, err
	}
	signatures := ecdsap256.New(signatureSizes[len(signatureSizes)-1])
	if backend.Of(c) != "native" {
		signatures = ecdsap256.Portable()
	}
	return unit, measureSignatures(ctx, unit, signatures, o)
}

// signatureSizes are the numbers of signatures that are verified together.
var signatureSizes = []int{1, 2, 3, 8, 64}

// measureSignatures measures lists of signatures by keys that are remembered, and by
// keys that are not, the certificates of these, and hashes.
func measureSignatures(ctx context.Context, unit *cost.Costs, by *ecdsap256.Verifier, o cost.Options) error {
	known := make([]ecdsap256.Signature, signatureSizes[len(signatureSizes)-1])
	for i := range known {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return err
		}
		digest := sha256.Sum256([]byte{byte(i)})
		r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
		if err != nil {
			return err
		}
		known[i] = ecdsap256.Signature{Key: &key.PublicKey, Digest: digest[:], R: r.Bytes(), S: s.Bytes()}
	}
	unknown := slices.Clone(known)
	for i := range unknown {
		unknown[i].Once = true
	}
	w, err := x509.NewWallet(rand.Reader, "a certificate")
	if err != nil {
		return err
	}
	owners := identity.Registry{identity.X509: x509.NewVerifier}
	var meter cost.Meter
	unit.Ops[cost.Name("P-256", count.Certificate)] = meter.Curve([]int{1}, func(int) func() {
		return func() { _, _ = owners.Verifier(w.Identity()) }
	})
	unit.Ops[cost.Name("SHA-256", count.Hash)] = meter.Curve([]int{1, 8, 64}, func(n int) func() {
		data := make([]byte, 64*n-9)
		return func() { sha256.Sum256(data) }
	})
	for op, list := range map[count.Op][]ecdsap256.Signature{count.Verify: unknown,
		count.VerifyKnown: known} {
		unit.Ops[cost.Name("P-256", op)] = meter.Curve(signatureSizes, func(n int) func() {
			return func() { by.Verify(list[:n]) }
		})
	}
	return meter.Run(ctx, o)
}
