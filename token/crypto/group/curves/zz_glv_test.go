package curves_test
import ("testing";"crypto/rand"
 bn "github.com/consensys/gnark-crypto/ecc/bn254"
 bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
 "github.com/zkatbench/zkatbench/token/crypto/group"
 "github.com/zkatbench/zkatbench/token/crypto/group/curves")
func BenchmarkGnark254(b *testing.B){ _,_,g,_:=bn.Generators(); s,_:=rand.Int(rand.Reader, fr.Modulus()); var p bn.G1Affine; for b.Loop(){ p.ScalarMultiplication(&g,s)}  }
func BenchmarkGnark381(b *testing.B){ _,_,g,_:=bls.Generators(); s,_:=rand.Int(rand.Reader, fr.Modulus()); var p bls.G1Affine; for b.Loop(){ p.ScalarMultiplication(&g,s)}  }
func BenchmarkOurs(b *testing.B){ for _,n:=range []string{"BN254","BLS12_381_BBS_GURVY"} { for _,be:=range []string{"native","mathlib"} { b.Run(n+be, func(b *testing.B){
g,_:=curves.Find(n,be); var s [1]group.Scalar; group.Sample(g, rand.Reader, s[:]); p:=g.Generator(); for b.Loop(){ p=g.MulPoint(p,s[0])} })}}}
