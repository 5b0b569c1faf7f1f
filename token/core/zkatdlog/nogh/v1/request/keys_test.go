package request_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// TestNamesInKeys: which names may be anchors, keys of metadata, and transaction ids of
// inputs.
func TestNamesInKeys(t *testing.T) {
	long := strings.Repeat("a", request.MaxAnchor)
	for name, want := range map[string]struct{ anchor, key error }{
		"tx": {}, "trx": {}, "TR": {}, "ä€😀": {}, "\U0010FFFE": {}, long: {},
		"": {request.ErrAnchor, nil}, long + "a": {request.ErrAnchor, nil},
		"tr": {request.ErrAnchor, nil}, "osn": {request.ErrAnchor, nil}, "tam": {request.ErrAnchor, nil},
		"iam":    {request.ErrAnchor, nil},
		"tr\x00": {request.ErrKey, request.ErrKey}, "\x00": {request.ErrKey, request.ErrKey},
		"a\x00b":      {request.ErrKey, request.ErrKey},
		"a\U0010FFFF": {request.ErrKey, request.ErrKey}, "a\xff": {request.ErrKey, request.ErrKey},
		"\xed\xa0\x80": {request.ErrKey, request.ErrKey},
	} {
		require.ErrorIs(t, request.CheckAnchor(name), want.anchor, "%q", name)
		require.ErrorIs(t, request.CheckKey(name), want.key, "%q", name)
		require.ErrorIs(t, request.CheckInput(token.ID{TxID: name}, []byte{1}), want.anchor, "%q", name)
		require.ErrorIs(t, request.CheckMetadataKeys(map[string][]byte{name: nil, "pub.": nil}), want.key,
			"%q", name)
	}
	for _, raw := range []string{"", "\x00", "\x00a"} {
		require.ErrorIs(t, request.CheckInput(token.ID{TxID: "tx"}, []byte(raw)), request.ErrKey, "%q", raw)
	}
	require.NoError(t, request.CheckInput(token.ID{TxID: "tx", Index: math.MaxUint32}, []byte{1, 0}))
	require.ErrorIs(t, request.CheckInput(token.ID{TxID: "tx", Index: math.MaxUint32 + 1}, []byte{1}),
		request.ErrKey)
}
