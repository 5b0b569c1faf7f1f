// Code generated from bn254/pippenger.go by bls12381/generate. DO NOT EDIT.

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// pippengerFrom is the number of points from which buckets are used.
const pippengerFrom = 1 << 30

func (ws *workspace) pippenger(n int) curve.G1Jac { return ws.straus(n) }
