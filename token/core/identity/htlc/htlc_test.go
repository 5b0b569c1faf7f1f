package htlc_test

import (
	"bytes"
	"crypto"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

var (
	deadline = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	before   = deadline.Add(-time.Nanosecond)
	secret   = []byte("secret")
	message  = []byte("message")
	registry = identity.Registry{identity.X509: x509.NewVerifier}
)

func wallet(t testing.TB, seed uint64) *x509.Wallet {
	t.Helper()
	w := networktest.Wallet(t, seed, "owner")
	return w
}

func script(t testing.TB) (s htlc.Script, sender, recipient *x509.Wallet) {
	t.Helper()
	sender, recipient = wallet(t, 1), wallet(t, 2)
	return htlc.Script{
		Sender: sender.Identity(), Recipient: recipient.Identity(), Deadline: deadline,
		HashInfo: htlc.NewLock(secret),
	}, sender, recipient
}

func raw(t testing.TB, s htlc.Script) []byte {
	t.Helper()
	id, err := s.Encode()
	require.NoError(t, err)
	typed := networktest.Typed(t, id)
	return typed.Raw
}

func TestWhoSpendsWhen(t *testing.T) {
	s, sender, recipient := script(t)
	claim, err := htlc.Sign(recipient, message, secret)
	require.NoError(t, err)
	wrong, err := htlc.Sign(recipient, message, []byte("guess"))
	require.NoError(t, err)
	stolen, err := htlc.Sign(sender, message, secret)
	require.NoError(t, err)
	reclaim, err := sender.Sign(message)
	require.NoError(t, err)
	for _, c := range []struct {
		name      string
		now       time.Time
		signature []byte
		ok        bool
	}{
		{"claim in time", before, claim, true},
		{"claim at the deadline", deadline, claim, false},
		{"claim with a wrong pre-image", before, wrong, false},
		{"claim by the sender", before, stolen, false},
		{"reclaim at the deadline", deadline, reclaim, true},
		{"reclaim early", before, reclaim, false},
		{"claim with white space", before, append(claim, ' '), false},
		{"nothing", before, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := htlc.New(registry, c.now)(raw(t, s))
			require.NoError(t, err)
			require.Equal(t, c.ok, identity.Verify(v, identity.NewMessage(message), c.signature) == nil)
		})
	}
}

func FuzzDecode(f *testing.F) {
	s, _, _ := script(f)
	vectors.FuzzDecoder(f, [][]byte{raw(f, s)}, func(b []byte) ([]byte, error) {
		s, err := htlc.Decode(b)
		if err != nil {
			return nil, err
		}
		return json.Marshal(s)
	})
}

// TestPreimagesOpenTheirLock: an empty pre-image, a long one or another
// one does not open a lock, also if it has the right hash.
func TestPreimagesOpenTheirLock(t *testing.T) {
	require.False(t, htlc.NewLock(nil).Opens(nil), "empty")
	require.False(t, htlc.NewLock(nil).Opens([]byte{}), "empty")
	require.True(t, htlc.NewLock([]byte{1}).Opens([]byte{1}))
	longest := make([]byte, htlc.MaxPreimage)
	require.True(t, htlc.NewLock(longest).Opens(longest))
	longer := make([]byte, htlc.MaxPreimage+1)
	require.False(t, htlc.NewLock(longer).Opens(longer), "too long")
	for i := range 100 {
		require.False(t, htlc.NewLock(secret).Opens(fmt.Append(nil, "guess ", i)), i)
	}
}

// TestKeysOfMetadataNameTheLock: entries of two locks have other keys (section 15).
func TestKeysOfMetadataNameTheLock(t *testing.T) {
	l := htlc.NewLock(secret)
	key, value := l.LockEntry()
	text := hex.EncodeToString(l.Hash)
	require.Equal(t, "htlc.lh"+text, key)
	require.Equal(t, text, string(value))
	require.Equal(t, "htlc.cpi"+text, l.ClaimKey())
}

// TestScriptsNameBothParties: a script without sender or recipient is malformed.
func TestScriptsNameBothParties(t *testing.T) {
	for name, spoil := range map[string]func(s *htlc.Script){
		"sender": func(s *htlc.Script) { s.Sender = nil }, "recipient": func(s *htlc.Script) {
			s.Recipient = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := script(t)
			spoil(&s)
			_, err := htlc.Decode(raw(t, s))
			require.ErrorIs(t, err, wire.ErrMissing)
		})
	}
}

// TestHashFunctionsAndEncodings: a lock has one of seven functions and one of two
// encodings, and a digest of their length.
func TestHashFunctionsAndEncodings(t *testing.T) {
	known := map[crypto.Hash]bool{
		crypto.SHA256: true, crypto.SHA384: true, crypto.SHA512: true, crypto.SHA512_256: true,
		crypto.SHA3_256: true, crypto.SHA3_384: true, crypto.SHA3_512: true,
	}
	for f := range crypto.Hash(32) {
		for encoding, encode := range map[int]func(b []byte) string{
			0: hex.EncodeToString, htlc.Base64: base64.StdEncoding.EncodeToString,
			htlc.Hex: hex.EncodeToString, 3: hex.EncodeToString,
		} {
			digest := make([]byte, 20)
			if f.Available() {
				h := f.New()
				h.Write(secret)
				digest = h.Sum(nil)
			}
			l := htlc.Lock{Hash: []byte(encode(digest)), HashFunc: f, HashEncoding: encoding}
			good := known[f] && (encoding == htlc.Base64 || encoding == htlc.Hex)
			require.Equal(t, good, l.Check() == nil, "%v, encoding %d", f, encoding)
			require.Equal(t, good, l.Opens(secret), "%v, encoding %d", f, encoding)
			require.False(t, l.Opens([]byte("guess")))
			for _, other := range [][]byte{l.Hash[1:], append(bytes.Clone(l.Hash), l.Hash[0])} {
				l.Hash = other
				require.ErrorIs(t, l.Check(), htlc.ErrHash)
			}
		}
	}
}

// failing is a signer without a key.
type failing struct{ identity.Signer }

var errNoKey = errors.New("no key")

func (failing) Sign([]byte) ([]byte, error) { return []byte("partial"), errNoKey }

// TestErrorsOfSigners: the error of the recipient is returned.
func TestErrorsOfSigners(t *testing.T) {
	claim, err := htlc.Sign(failing{}, message, secret)
	require.ErrorIs(t, err, errNoKey)
	require.Nil(t, claim)
}

// TestBothPartiesAreOpened: also the party that does not sign, last.
func TestBothPartiesAreOpened(t *testing.T) {
	s, _, recipient := script(t)
	claim, err := htlc.Sign(recipient, message, secret)
	require.NoError(t, err)
	unknown := identity.Typed{Type: 99, Raw: []byte{1}}.Encode()
	sender := func(id []byte) func(s *htlc.Script) { return func(s *htlc.Script) { s.Sender = id } }
	unknownRecipient := func(s *htlc.Script) { s.Recipient = unknown }
	otherLock := func(s *htlc.Script) { s.HashInfo.HashEncoding = 0 }
	for name, c := range map[string]struct {
		edit func(s *htlc.Script)
		now  time.Time
		want string
	}{
		"sender of a claim":     {sender(unknown), before, "other party of the script: type 99: "},
		"recipient of a claim":  {unknownRecipient, before, "type 99: "},
		"sender afterwards":     {sender(unknown), deadline, "type 99: "},
		"recipient afterwards":  {unknownRecipient, deadline, "other party of the script: type 99: "},
		"lock of a claim":       {otherLock, before, htlc.ErrHash.Error()},
		"lock afterwards":       {otherLock, deadline, ""},
		"nothing":               {sender(s.Sender), before, ""},
		"malformed other party": {sender([]byte{1}), before, "other party of the script: identity: "},
	} {
		t.Run(name, func(t *testing.T) {
			changed := s
			c.edit(&changed)
			v, err := htlc.New(registry, c.now)(raw(t, changed))
			if err == nil {
				var task identity.Task
				task, err = v.(identity.Openable).BeginOpen()
				require.Nil(t, task)
				if c.now == before {
					require.Equal(t, err, identity.Verify(v, identity.NewMessage(message), claim))
				}
			}
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			require.True(t, strings.HasPrefix(err.Error(), c.want), "%s: %v", name, err)
		})
	}
}

// TestTheSignerComesFirst: if both parties are wrong, the error names the signer.
func TestTheSignerComesFirst(t *testing.T) {
	s, sender, recipient := script(t)
	claim, err := htlc.Sign(sender, message, secret) // with another key
	require.NoError(t, err)
	reclaim, err := recipient.Sign(message)
	require.NoError(t, err)
	noOpening := identity.Registry{identity.X509: func(raw []byte) (identity.Verifier, error) {
		v, err := x509.NewVerifier(raw)
		return closed{v}, err
	}}
	for now, signature := range map[time.Time][]byte{before: claim, deadline: reclaim} {
		v, err := htlc.New(noOpening, now)(raw(t, s))
		require.NoError(t, err)
		err = identity.Verify(v, identity.NewMessage(message), signature)
		require.ErrorIs(t, err, identity.ErrSignature)
		require.NotErrorIs(t, err, errClosed)
	}
}

var errClosed = errors.New("closed")

// closed is a verifier of an identity that cannot be opened.
type closed struct{ identity.Verifier }

func (closed) BeginOpen() (identity.Task, error) { return nil, errClosed }

// TestScriptsOfLaterYearsAreNotWritten: RFC 3339 ends with the year 9999.
func TestScriptsOfLaterYearsAreNotWritten(t *testing.T) {
	s, _, _ := script(t)
	s.Deadline = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	b, err := s.Encode()
	require.ErrorContains(t, err, "htlc script: ")
	require.Nil(t, b)
}

// TestClaimsAreNotPrinted: a claim has the pre-image of its lock.
func TestClaimsAreNotPrinted(t *testing.T) {
	claim := htlc.Claim{RecipientSignature: []byte("signature"), Preimage: secret}
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%d"} {
		require.Equal(t, "claim of a hash-time-locked token", fmt.Sprintf(verb, claim))
	}
}
