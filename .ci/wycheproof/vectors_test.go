// Package wycheproof_test is a module of its own, because its vectors are a download of
// 109 MB.
package wycheproof_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/c2sp/wycheproof"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
)

// TestWycheproof gives the verdicts of Project Wycheproof's vectors, with r and s in
// 32 bytes each (IEEE P1363), one by one and together.
func TestWycheproof(t *testing.T) {
	raw, err := fs.ReadFile(wycheproof.TestVectors, "ecdsa_secp256r1_sha256_p1363_test.json")
	require.NoError(t, err)
	var file struct {
		NumberOfTests int
		TestGroups    []struct {
			PublicKey struct{ Uncompressed string }
			Tests     []struct {
				TcID                      int
				Comment, Msg, Sig, Result string
			}
		}
	}
	require.NoError(t, json.Unmarshal(raw, &file))
	decode := func(s string) []byte {
		b, err := hex.DecodeString(s)
		require.NoError(t, err)
		return b
	}
	var list []ecdsap256.Signature
	var want []bool
	all := 0
	for _, group := range file.TestGroups {
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decode(group.PublicKey.Uncompressed))
		require.NoError(t, err)
		for _, c := range group.Tests {
			all++
			sig := decode(c.Sig)
			if len(sig) != 64 { // is not a pair of numbers
				require.Equal(t, "invalid", c.Result, c.TcID)
				continue
			}
			digest := sha256.Sum256(decode(c.Msg))
			s := ecdsap256.Signature{Key: key, Digest: digest[:], R: sig[:32], S: sig[32:]}
			require.Equal(t, c.Result == "valid", ecdsap256.New(0).Verify([]ecdsap256.Signature{s})[0],
				"%d: %s", c.TcID,
				c.Comment)
			list, want = append(list, s), append(want, c.Result == "valid")
		}
	}
	require.Equal(t, file.NumberOfTests, all)
	require.Greater(t, len(list), 200)
	v := ecdsap256.New(8)
	for range 5 { // a key gets a table when it signs the fourth time
		require.Equal(t, want, v.Verify(list))
	}
}
