package store_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// pieces make names that collide if they can: words and parts of keys, separators, and
// bytes that are not valid text.
var pieces = []string{
	"", "a", "b", "0", "1", "10", "tr", "osn", "tam", "iam", "\x00", "\x00\x00", "\U0010FFFF", "\xff", "é",
	"pub.",
	"zkatbench/", "blocks", "zkatbench/parameters", strings.Repeat("0", 64), "tr\x00", "\x00osn\x00",
}

func name(random *rand.Rand) (text string) {
	for range random.IntN(4) {
		text += pieces[random.IntN(len(pieces))]
	}
	return text
}

// TestKeysDiffer: keys of different entries differ, and no key begins another one, for all
// names that pass the checks.
func TestKeysDiffer(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	entries := map[string]string{} // by key
	add := func(entry string, key []byte) {
		if other, found := entries[string(key)]; found {
			require.Equal(t, other, entry, "key %q", key)
		}
		entries[string(key)] = entry
	}
	add("parameters", []byte("zkatbench/parameters"))
	add("blocks", []byte("zkatbench/blocks"))
	for range 20_000 {
		text, raw := name(random), []byte(name(random))
		id := token.ID{TxID: text, Index: random.Uint64N(12)}
		if random.IntN(4) == 0 {
			id.Index = random.Uint64() >> random.IntN(64)
		}
		if request.CheckAnchor(text) == nil {
			add(fmt.Sprintf("request %q", text), ledger.RequestKey(text))
		}
		if request.CheckInput(id, raw) == nil {
			add(fmt.Sprintf("token %q %d", id.TxID, id.Index), ledger.OutputKey(id))
			add(fmt.Sprintf("marker %q %d %q", id.TxID, id.Index, raw), ledger.MarkerKey(id, raw))
		}
		if request.CheckKey(text) == nil {
			add(fmt.Sprintf("transfer %q", text), ledger.TransferMetadataKey(text))
			add(fmt.Sprintf("issue %q", text), ledger.IssueMetadataKey(text))
		}
	}
	kinds := map[string]int{}
	var sorted []string
	for key, entry := range entries {
		kind, _, _ := strings.Cut(entry, " ")
		kinds[kind]++
		sorted = append(sorted, key)
	}
	slices.Sort(sorted)
	for i, key := range sorted[1:] {
		require.False(t, strings.HasPrefix(key, sorted[i]), "%q begins %q", sorted[i], key)
	}
	for _, kind := range []string{"request", "token", "marker", "transfer", "issue"} {
		require.Greater(t, kinds[kind], 100, kind)
	}
}

// TestAMarkerHashesOneToken: a marker hashes id, index and bytes of a token without their
// lengths. Of all ways to read the hashed bytes, at most one passes the checks.
func TestAMarkerHashesOneToken(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	read := 0
	for range 5_000 {
		hashed := []byte("osn")
		for range 1 + random.IntN(3) {
			hashed = binary.LittleEndian.AppendUint64(append(hashed, name(random)...),
				random.Uint64()>>random.IntN(64))
		}
		hashed = append(append(hashed, bytes.Repeat([]byte{0x30}, random.IntN(3))...), name(random)...)
		key := "\x00osn\x00" + hex.EncodeToString(sum(hashed)) + "\x00"
		found := 0
		for at := len("osn"); at+8 <= len(hashed); at++ {
			id := token.ID{TxID: string(hashed[len("osn"):at]),
				Index: binary.LittleEndian.Uint64(hashed[at:])}
			require.Equal(t, key, string(ledger.MarkerKey(id, hashed[at+8:])))
			if request.CheckInput(id, hashed[at+8:]) == nil {
				found++
			}
		}
		require.LessOrEqual(t, found, 1, "%q", hashed)
		read += found
	}
	require.Greater(t, read, 300)
}

func sum(b []byte) []byte {
	s := sha256.Sum256(b)
	return s[:]
}

// TestTheStoreChecksNames: the store itself refuses names that are unsafe as keys, even if a validator
// accepted them, and writes nothing of their requests.
func TestTheStoreChecksNames(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	s := open(t, folder, store.Options{FS: newMemory()})
	places := []string{"anchor", "token", "spent", "transfer", "issue"}
	unsafe := map[string]int{}
	for range 3000 {
		key, place := name(random), places[random.IntN(len(places))]
		a, metadata := &validator.Accepted{Anchor: "a"}, map[string][]byte{key: {1}}
		var reason error
		switch place {
		case "anchor":
			a.Anchor, reason = key, request.CheckAnchor(key)
		case "token":
			out := validator.Created{Token: [][]byte{{}, {0}, {1}}[random.IntN(3)],
				ID: token.ID{TxID: key, Index: random.Uint64() >> random.IntN(64)}}
			a.Created, reason = []validator.Created{out}, request.CheckInput(out.ID, out.Token)
			if reason != nil {
				require.Error(t, s.Put(tokenOf(1), out))
				require.False(t, has(t, s, tokenOf(1)))
			}
		case "spent":
			in := validator.Spent{ID: token.ID{TxID: key}, Token: []byte{1}}
			if a.Spent = []validator.Spent{in}; request.CheckInput(in.ID, in.Token) != nil {
				reason = ledger.SpentError(in.ID)
			}
		case "transfer":
			a.Transfers, reason = []*transfer.Action{{Metadata: metadata}}, request.CheckKey(key)
		case "issue":
			a.Issues, reason = []*issue.Action{{Metadata: metadata}}, request.CheckKey(key)
		}
		if reason == nil {
			continue
		}
		unsafe[place]++
		before, _ := s.State()
		refusals, err := apply(s, a)
		require.NoError(t, err)
		require.EqualError(t, refusals[0], reason.Error())
		after, _ := s.State()
		require.Equal(t, before+1, after)
		known, err := s.Knows(a.Anchor)
		require.NoError(t, err)
		require.False(t, known)
		for _, out := range a.Created {
			require.False(t, has(t, s, out))
		}
	}
	for _, place := range places {
		require.Greater(t, unsafe[place], 100, place)
	}
	require.NoError(t, s.Close())
}

// TestNothingIsOverwritten: a request or Put that would write a token a second time is refused.
func TestNothingIsOverwritten(t *testing.T) {
	s := open(t, t.TempDir(), store.Options{})
	require.NoError(t, s.Put(tokenOf(0)))
	require.ErrorIs(t, s.Put(tokenOf(1), tokenOf(0)), store.ErrToken)
	require.False(t, has(t, s, tokenOf(1)), "a refused Put stores nothing")
	again := tokenOf(0)
	again.Token = []byte("other bytes")
	for _, block := range [][]*validator.Accepted{
		{{Anchor: "again", Created: []validator.Created{again}}},
		{{Anchor: "twice", Created: []validator.Created{tokenOf(2), tokenOf(2)}}},
	} {
		refusals, err := apply(s, block...)
		require.NoError(t, err)
		require.Equal(t, []error{store.ErrToken}, refusals)
	}
	refusals, err := apply(s, &validator.Accepted{Anchor: "x", Created: []validator.Created{tokenOf(2)}},
		&validator.Accepted{Anchor: "y", Created: []validator.Created{tokenOf(2)}})
	require.NoError(t, err)
	require.Equal(t, []error{nil, store.ErrToken}, refusals)
	refusals, err = apply(s, &validator.Accepted{Anchor: tokenOf(0).ID.TxID})
	require.NoError(t, err)
	require.Equal(t, []error{ledger.ErrKnown}, refusals,
		"the transaction of a token that Put stored is known")
	require.NoError(t, s.Close())
}
