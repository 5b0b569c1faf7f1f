package htlc_test

import (
	"crypto"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
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
	w, err := x509.NewWallet(fixture.Random(seed), "owner")
	require.NoError(t, err)
	return w
}

func script(t testing.TB) (s htlc.Script, sender, recipient *x509.Wallet) {
	t.Helper()
	sender, recipient = wallet(t, 1), wallet(t, 2)
	return htlc.Script{
		Sender: sender.Identity(), Recipient: recipient.Identity(), Deadline: deadline, HashInfo: htlc.NewLock(secret),
	}, sender, recipient
}

func raw(t testing.TB, s htlc.Script) []byte {
	t.Helper()
	id, err := s.Encode()
	require.NoError(t, err)
	typed, err := identity.Decode(id)
	require.NoError(t, err)
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
		v, err := htlc.New(registry, c.now)(raw(t, s))
		require.NoError(t, err)
		require.Equal(t, c.ok, identity.Verify(v, identity.NewMessage(message), c.signature) == nil, c.name)
	}
}

func TestLocks(t *testing.T) {
	l := htlc.NewLock(secret)
	require.NoError(t, l.Check())
	require.True(t, l.Opens(secret))
	require.False(t, l.Opens(nil))
	for _, bad := range []htlc.Lock{
		{Hash: l.Hash, HashFunc: crypto.MD5, HashEncoding: htlc.Hex},
		{Hash: l.Hash, HashFunc: crypto.SHA1, HashEncoding: htlc.Hex},
		{Hash: l.Hash, HashFunc: 99, HashEncoding: htlc.Hex},
		{Hash: l.Hash, HashFunc: crypto.SHA256, HashEncoding: 0},
		{Hash: make([]byte, 44), HashFunc: crypto.SHA256, HashEncoding: 0},
		{Hash: make([]byte, 44), HashFunc: crypto.SHA256, HashEncoding: 3},
		{Hash: l.Hash[1:], HashFunc: crypto.SHA256, HashEncoding: htlc.Hex},
	} {
		require.ErrorIs(t, bad.Check(), htlc.ErrHash)
		require.False(t, bad.Opens(secret))
	}
}

func TestDecodeRefuses(t *testing.T) {
	s, _, _ := script(t)
	good := raw(t, s)
	_, err := htlc.Decode(append(good, '\n'))
	require.ErrorIs(t, err, wire.ErrNotCanonical)
	s.Sender = nil
	_, err = htlc.Decode(raw(t, s))
	require.ErrorIs(t, err, wire.ErrMissing)
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
		"sender": func(s *htlc.Script) { s.Sender = nil }, "recipient": func(s *htlc.Script) { s.Recipient = nil },
	} {
		s, _, _ := script(t)
		spoil(&s)
		_, err := htlc.Decode(raw(t, s))
		require.ErrorIs(t, err, wire.ErrMissing, name)
	}
}

// TestErrors holds the error of each changed byte of a script and of a claim.
func TestErrors(t *testing.T) {
	s, _, recipient := script(t)
	claim, err := htlc.Sign(recipient, message, secret)
	require.NoError(t, err)
	verify := func(script, claim []byte) error {
		v, err := htlc.New(registry, before)(script)
		if err != nil {
			return err
		}
		return identity.Verify(v, identity.NewMessage(message), claim)
	}
	vectors.Errors(t, "claim", claim, func(claim []byte) error { return verify(raw(t, s), claim) })
	short := s
	short.Sender, short.Recipient = []byte("sender"), []byte("recipient")
	vectors.Errors(t, "script", raw(t, short), func(script []byte) error {
		_, err := htlc.Decode(script)
		return err
	})
}
