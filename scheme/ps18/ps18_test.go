package ps18 // sign and drawWeights are private: vectors fix what Sign and VerifyBatch draw

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

func TestVectors(t *testing.T) {
	vs, ss := loadVectors(t)
	for i, v := range vs {
		t.Run(ss[i].name(), func(t *testing.T) {
			require.NoError(t, v.Verify(Product))
			require.NoError(t, v.Verify(Plain))
			c, err := v.on()
			require.NoError(t, err)
			// The secrets of the vector make the same key and signature.
			sk := ss[i].secretKey(c)
			pk, sig, err := v.decode(c)
			require.NoError(t, err)
			require.Equal(t, pk.Encode(), sk.public().Encode())
			made := sk.sign(v.Messages, number(ss[i].Prime), number(ss[i].U))
			require.Equal(t, sig.Encode(c), made.Encode(c))
			require.Equal(t, v.sig, sig.Encode(c))
			// Another message does not verify.
			v.Messages[0].Xor(v.Messages[0], big.NewInt(1))
			require.ErrorIs(t, v.Verify(Product), ErrRejected)
		})
	}
}

// The other library of BLS12-381 accepts its vectors too.
func TestVectorsOnMathlib(t *testing.T) {
	vs, _ := loadVectors(t)
	for _, v := range vs {
		names := []string{"BN254"}
		if v.Curve == "BLS12_381" {
			names = []string{"BLS12_381_BBS", "BLS12_381_BBS_GURVY"}
		}
		for _, name := range names {
			c, err := curve.Find(name, "mathlib")
			require.NoError(t, err)
			pk, sig, err := v.decode(c)
			require.NoError(t, err)
			require.NoError(t, pk.Verify(v.Messages, sig, Product), name)
		}
	}
}

func TestLoadVectorsRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", `{"vectors": []}`, `{"vectors": [{"curve": 1}]}`,
		`{"vectors": [{"m": ["x"]}]}`} {
		_, err := LoadVectors(strings.NewReader(text))
		require.Error(t, err, text)
	}
	vs, err := LoadVectors(strings.NewReader(`{"vectors": [{"curve": "P256"}, {"curve": "BN254"}]}`))
	require.NoError(t, err)
	require.ErrorContains(t, vs[0].Verify(Product), `curve "P256"`)
	require.ErrorAs(t, vs[1].Verify(Product), new(*DecodeError))
	known, _ := loadVectors(t)
	known[0].key = bytes.Repeat([]byte{0xff}, len(known[0].key))
	require.ErrorAs(t, known[0].Verify(Product), new(*DecodeError), "a key that is no points")
}

// verifiers are all ways to verify a signature.
func (s signed) verifiers() map[string]func([]*big.Int, *Signature) error {
	prepared := s.pk.Prepare()
	return map[string]func([]*big.Int, *Signature) error{
		"product": func(ms []*big.Int, sig *Signature) error { return s.pk.Verify(ms, sig, Product) },
		"plain":   func(ms []*big.Int, sig *Signature) error { return s.pk.Verify(ms, sig, Plain) },
		"prepared": func(ms []*big.Int, sig *Signature) error {
			return prepared.Verify(ms, sig, Product)
		},
		"prepared plain": func(ms []*big.Int, sig *Signature) error {
			return prepared.Verify(ms, sig, Plain)
		},
		"batch": func(ms []*big.Int, sig *Signature) error {
			return s.pk.VerifyBatch([]Signed{{ms, sig}}, stream(9))
		},
		"prepared batch": func(ms []*big.Int, sig *Signature) error {
			return prepared.VerifyBatch([]Signed{{s.messages, s.sig}, {ms, sig}}, stream(9))
		},
	}
}

func TestRandomised(t *testing.T) {
	eachCurve(t, func(t *testing.T, c curve.Curve) {
		for _, r := range messageCounts(c) {
			s := sign(t, c, r, 1)
			again, err := s.sig.Randomise(c, stream(2))
			require.NoError(t, err)
			require.NotEqual(t, s.sig.Encode(c), again.Encode(c))
			for name, verify := range s.verifiers() {
				t.Run(name, func(t *testing.T) {
					require.NoError(t, verify(s.messages, s.sig), "%s, r = %d", name, r)
					require.NoError(t, verify(s.messages, again), "%s, r = %d", name, r)
				})
			}
		}
	})
}

// forged is a signature with messages that a forgery changes.
type forged struct {
	signed
	c   curve.Curve
	ms  []*big.Int
	sig *Signature
}

// forgery changes messages or a signature so that they do not belong together.
type forgery struct {
	change func(f *forged)
	want   error
}

var one = big.NewInt(1)

func plusOne(c curve.Curve, k *big.Int) *big.Int {
	n := new(big.Int).Add(k, one)
	return n.Mod(n, c.Order())
}

func (f *forged) plusOrder(k *big.Int) *big.Int { return new(big.Int).Add(k, f.c.Order()) }

func (f *forged) zero() curve.G1 { return f.c.MulG1(f.c.GenG1(), new(big.Int)) }

// forgeries are the changes for r messages.
func forgeries(r int) map[string]forgery {
	fs := map[string]forgery{
		"m' changed":     {func(f *forged) { f.sig.Prime = plusOne(f.c, f.sig.Prime) }, ErrRejected},
		"σ2 changed":     {func(f *forged) { f.sig.Sigma2 = f.c.GenG1() }, ErrRejected},
		"σ2 negated":     {func(f *forged) { f.sig.Sigma2 = f.c.NegG1(f.sig.Sigma2) }, ErrRejected},
		"σ1 is 0":        {func(f *forged) { f.sig.Sigma1 = f.zero() }, ErrRejected},
		"(m', 0, 0)":     {func(f *forged) { f.sig.Sigma1, f.sig.Sigma2 = f.zero(), f.zero() }, ErrRejected},
		"a message more": {func(f *forged) { f.ms = append(f.ms, one) }, ErrMessages},
		"a message less": {func(f *forged) { f.ms = f.ms[1:] }, ErrMessages},
		"no message":     {func(f *forged) { f.ms[0] = nil }, ErrMessages},
		"message < 0":    {func(f *forged) { f.ms[0] = big.NewInt(-1) }, ErrMessages},
		"m' + q":         {func(f *forged) { f.sig.Prime = f.plusOrder(f.sig.Prime) }, ErrRejected},
		"m' < 0":         {func(f *forged) { f.sig.Prime = big.NewInt(-1) }, ErrRejected},
		"no m'":          {func(f *forged) { f.sig.Prime = nil }, ErrRejected},
		"no σ1":          {func(f *forged) { f.sig.Sigma1 = curve.G1{} }, ErrRejected},
		"no σ2":          {func(f *forged) { f.sig.Sigma2 = curve.G1{} }, ErrRejected},
		"no signature":   {func(f *forged) { f.sig = nil }, ErrRejected},
		"another key": {func(f *forged) {
			other, _, err := KeyGen(f.c, len(f.ms), stream(77))
			if err == nil {
				f.sig, err = other.Sign(f.ms, stream(78))
			}
			if err != nil {
				panic(err)
			}
		}, ErrRejected},
	}
	for j := range r {
		fs[fmt.Sprint("message ", j+1, " changed")] = forgery{func(f *forged) {
			f.ms[j] = plusOne(f.c, f.ms[j])
		}, ErrRejected}
		fs[fmt.Sprint("message ", j+1, " + q")] = forgery{func(f *forged) {
			f.ms[j] = f.plusOrder(f.ms[j])
		}, ErrMessages}
	}
	if r >= 2 {
		fs["messages exchanged"] = forgery{func(f *forged) {
			f.ms[0], f.ms[r-1] = f.ms[r-1], f.ms[0]
		}, ErrRejected}
	}
	return fs
}

func TestNegative(t *testing.T) {
	eachCurve(t, func(t *testing.T, c curve.Curve) {
		for _, r := range messageCounts(c) {
			s := sign(t, c, r, 1)
			for how, verify := range s.verifiers() {
				long, same := r > 2, strings.Contains(how, " ") // the same code with other lengths or keys
				few := isSlow(c) || long && how != "batch" || testing.Short() && (long || same)
				if few && how != "product" && !nightly.On() {
					continue
				}
				for name, f := range forgeries(r) {
					t.Run(name, func(t *testing.T) {
						sig := *s.sig
						lie := &forged{s, c, slices.Clone(s.messages), &sig}
						f.change(lie)
						require.ErrorIs(t, verify(lie.ms, lie.sig), f.want, "%s, %s, r = %d", name, how, r)
					})
				}
			}
		}
	})
}

func TestRandomnessThatFails(t *testing.T) {
	c := onBN254(t)
	s := sign(t, c, 1, 1)
	fault := errors.New("planted")
	for _, broken := range []io.Reader{iotest.ErrReader(fault),
		io.LimitReader(stream(1), 5*(scalarLen+16)-1)} { // x and 4 of y
		_, _, err := KeyGen(c, 3, broken)
		require.Error(t, err)
	}
	broken := iotest.ErrReader(fault)
	_, err := s.sk.Sign(s.messages, broken)
	require.ErrorIs(t, err, fault)
	_, err = s.sk.Sign(s.messages, io.LimitReader(stream(1), scalarLen+16))
	require.Error(t, err)
	_, err = s.sig.Randomise(c, broken)
	require.ErrorIs(t, err, fault)
	short := io.MultiReader(io.LimitReader(stream(1), weightBits/8-1), broken)
	require.ErrorIs(t, s.pk.VerifyBatch([]Signed{{s.messages, s.sig}}, short), fault)
}

func TestKeysRefuse(t *testing.T) {
	for _, r := range []int{-1, 0, maxMessages + 1} {
		_, _, err := KeyGen(onBN254(t), r, stream(1))
		require.ErrorContains(t, err, "a key is for 1 to 65535")
	}
	s := sign(t, onBN254(t), 2, 1)
	require.Equal(t, "ps18.SecretKey ps18.SecretKey", fmt.Sprintf("%v %#v", s.sk, s.sk))
}

// TestNumberOfMessagesHasTwoBytes encodes keys on both sides of one byte.
func TestNumberOfMessagesHasTwoBytes(t *testing.T) {
	c, err := curve.Find("BN254", "native")
	require.NoError(t, err)
	for _, r := range []int{1, 255, 256, 300} {
		pk := &PublicKey{curve: c, generator: c.GenG2(), x: c.GenG2(),
			y: slices.Repeat([]curve.G2{c.GenG2()}, r+1)}
		b := pk.Encode()
		require.Equal(t, []byte{byte(r / 256), byte(r % 256)}, b[:2])
		back, err := DecodePublicKey(c, b)
		require.NoError(t, err)
		require.Equal(t, r, back.messages())
	}
}

func TestRoundTrip(t *testing.T) {
	eachCurve(t, func(t *testing.T, c curve.Curve) {
		s := sign(t, c, 2, 1)
		sig, err := DecodeSignature(c, s.sig.Encode(c))
		require.NoError(t, err)
		pk, err := DecodePublicKey(c, s.pk.Encode())
		require.NoError(t, err)
		require.Equal(t, s.pk.Encode(), pk.Encode())
		require.NoError(t, pk.Verify(s.messages, sig, Product))
		zero := &Signature{Prime: one, Sigma1: c.MulG1(c.GenG1(), new(big.Int)), Sigma2: s.sig.Sigma2}
		back, err := DecodeSignature(c, zero.Encode(c))
		require.NoError(t, err, "σ1 = 0 decodes")
		require.ErrorIs(t, pk.Verify(s.messages, back, Product), ErrRejected)
	})
}

// edit replaces the bytes of b at an offset.
func edit(b []byte, at int, with []byte) []byte {
	b = bytes.Clone(b)
	copy(b[at:], with)
	return b
}

func TestNegativeEncodings(t *testing.T) {
	eachCurve(t, func(t *testing.T, c curve.Curve) {
		s := sign(t, c, 2, 1)
		sig, key := s.sig.Encode(c), s.pk.Encode()
		l1, l2 := c.LenG1(), c.LenG2()
		q := make([]byte, scalarLen)
		c.Order().FillBytes(q)
		zero := c.AppendG2(nil, c.MulG2(c.GenG2(), new(big.Int)))
		ones := bytes.Repeat([]byte{255}, max(l2, scalarLen))
		off := edit(sig, scalarLen, offCurve(t, c, l1))
		length := func(n int) string { return fmt.Sprintf("%d bytes instead of %d at byte 0", n, len(sig)) }
		at := func(field string, byte int) string { return fmt.Sprintf("%s at byte %d", field, byte) }
		decodeSignature := func(b []byte) error { _, err := DecodeSignature(c, b); return err }
		decodeKey := func(b []byte) error { _, err := DecodePublicKey(c, b); return err }
		for what, encodings := range map[string]struct {
			decode func(b []byte) error
			wrong  map[string]wrongEncoding
		}{
			"signature": {decodeSignature, map[string]wrongEncoding{
				"empty":      {nil, length(0), ErrLength},
				"truncated":  {sig[:len(sig)-1], length(len(sig) - 1), ErrLength},
				"prolonged":  {append(bytes.Clone(sig), 0), length(len(sig) + 1), ErrLength},
				"m' is q":    {edit(sig, 0, q), at("m'", 0), ErrScalar},
				"m' is huge": {edit(sig, 0, ones[:scalarLen]), at("m'", 0), ErrScalar},
				"off curve":  {off, at("σ1", scalarLen), curve.ErrEncoding},
				"all ones":   {edit(sig, scalarLen+l1, ones[:l1]), at("σ2", scalarLen+l1), curve.ErrEncoding},
			}},
			"public key": {decodeKey, map[string]wrongEncoding{
				"empty":           {nil, "number of messages at byte 0", ErrLength},
				"no messages":     {edit(key[:2+3*l2], 1, []byte{0}), "number of messages 0 in", ErrLength},
				"truncated":       {key[:len(key)-1], "number of messages 2 in", ErrLength},
				"prolonged":       {append(bytes.Clone(key), 0), "number of messages 2 in", ErrLength},
				"r too large":     {edit(key, 1, []byte{3}), "number of messages 3 in", ErrLength},
				"r huge":          {edit(key, 0, ones[:2]), "number of messages 65535 in", ErrLength},
				"X is 0":          {edit(key, 2+l2, zero), at("X", 2+l2), ErrZero},
				"Y2 is 0":         {edit(key, 2+3*l2, zero), at("Y2", 2+3*l2), ErrZero},
				"other generator": {edit(key, 2, key[2+l2:2+2*l2]), at("generator", 2), ErrGenerator},
				"all ones":        {edit(key, 2+l2, ones[:l2]), at("X", 2+l2), curve.ErrEncoding},
			}},
		} {
			for name, bad := range encodings.wrong {
				t.Run(what+"/"+name, func(t *testing.T) {
					err := encodings.decode(bad.b)
					require.ErrorAs(t, err, new(*DecodeError))
					require.ErrorIs(t, err, bad.want)
					require.ErrorContains(t, err, "ps18: "+what+": "+bad.place+" ")
				})
			}
		}
	})
}

// wrongEncoding is refused with an error that names the place.
type wrongEncoding struct {
	b     []byte
	place string
	want  error
}

// offCurve returns an encoding in G1 with an x coordinate off the curve.
func offCurve(t *testing.T, c curve.Curve, length int) []byte {
	g := c.AppendG1(nil, c.GenG1())
	for x := range 256 {
		b := bytes.Clone(g)
		b[length-1], b[length-2] = byte(x), 7
		if _, err := c.DecodeG1(b); errors.Is(err, curve.ErrEncoding) {
			return b
		}
	}
	t.Fatal("every x is on the curve")
	return nil
}

func FuzzDecode(f *testing.F) {
	c := onBN254(f)
	s := sign(f, c, 1, 1)
	f.Add(s.sig.Encode(c))
	f.Add(s.pk.Encode())
	f.Add([]byte{0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		if sig, err := DecodeSignature(c, b); err == nil {
			require.Equal(t, b, sig.Encode(c))
			require.Error(t, s.pk.Verify([]*big.Int{one}, sig, Product))
		} else {
			require.ErrorAs(t, err, new(*DecodeError))
		}
		if pk, err := DecodePublicKey(c, b); err == nil {
			require.Equal(t, b, pk.Encode())
		} else {
			require.ErrorAs(t, err, new(*DecodeError))
		}
	})
}

// TestWeightsAreWholeAndNotZero draws weights from bytes with a weight of 0 before each.
func TestWeightsAreWholeAndNotZero(t *testing.T) {
	ones := bytes.Repeat([]byte{0xff}, 16)
	random := bytes.NewReader(slices.Concat(make([]byte, 16), ones, make([]byte, 16), ones))
	weights, err := drawWeights(2, random)
	require.NoError(t, err)
	largest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	require.Equal(t, []*big.Int{largest, largest}, weights)
	require.Zero(t, random.Len())
}

// TestMessagesAreScalars: only scalars are signed, at each place, and the largest one is.
func TestMessagesAreScalars(t *testing.T) {
	eachCurve(t, func(t *testing.T, c curve.Curve) {
		s := sign(t, c, 3, 8)
		last := new(big.Int).Sub(c.Order(), one)
		for at := range s.messages {
			for _, m := range []*big.Int{nil, big.NewInt(-1), c.Order(), last} {
				messages := slices.Clone(s.messages)
				messages[at] = m
				sig, err := s.sk.Sign(messages, stream(1))
				if m == last {
					require.NoError(t, err)
					require.NoError(t, s.pk.Verify(messages, sig, Product))
					continue
				}
				require.ErrorIs(t, err, ErrMessages)
				require.ErrorContains(t, err, fmt.Sprintf("message %d ", at+1))
			}
		}
		for _, n := range []int{2, 4} {
			_, err := s.sk.Sign(slices.Repeat(s.messages[:1], n), stream(1))
			require.ErrorContains(t, err, fmt.Sprintf("%d messages, the key is for 3", n))
			require.ErrorIs(t, err, ErrMessages)
		}
	})
}

// TestSecretScalarsAreNotZero draws from bytes that begin with zeros.
func TestSecretScalarsAreNotZero(t *testing.T) {
	c, err := curve.Find(curve.Names[0], curve.Backends[0])
	require.NoError(t, err)
	k, err := drawNonZero(c, io.MultiReader(bytes.NewReader(make([]byte, 48)), stream(1)))
	require.NoError(t, err)
	require.NotZero(t, k.Sign())
	_, err = drawNonZero(c, bytes.NewReader(make([]byte, 3*48)))
	require.ErrorIs(t, err, io.EOF)
}

// TestErrorsOfBatchesNameAll: each of more than eight invalid signatures.
func TestErrorsOfBatchesNameAll(t *testing.T) {
	err := &BatchError{Invalid: []int{0, 2, 3, 5, 7, 11, 13, 17, 19, 23}, errs: []error{io.EOF}}
	require.EqualError(t, err,
		"ps18: signatures 0, 2, 3, 5, 7, 11, 13, 17, 19, 23 of the batch are invalid: EOF")
}
