package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// pippengerFrom is the number of points from which buckets are used.
const pippengerFrom = 1 << 30

func (ws *workspace) pippenger(n int) curve.G1Jac { return ws.straus(n) }
