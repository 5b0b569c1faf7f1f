package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// The keys of different entries differ, and no key begins another, if transaction ids pass
// request.CheckAnchor, keys of metadata request.CheckKey, and tokens request.CheckInput.

// OutputKey is the composite key of a token.
func OutputKey(id token.ID) []byte { return composite(id.TxID, strconv.FormatUint(id.Index, 10)) }

// MarkerKey is the composite key that marks a token with exactly these bytes as
// unspent. The hash binds the bytes to the id of a token that passes request.CheckInput.
func MarkerKey(id token.ID, raw []byte) []byte {
	const kind = "osn"
	h := sha256.New()
	h.Write([]byte(kind + id.TxID))
	h.Write(binary.LittleEndian.AppendUint64(nil, id.Index))
	h.Write(raw)
	return composite(kind, hex.EncodeToString(h.Sum(nil)))
}

// RequestKey is the composite key of an applied request; its value is the SHA-256
// of its signed message.
func RequestKey(anchor string) []byte { return composite("tr", anchor) }

// TransferMetadataKey and IssueMetadataKey are the composite keys of metadata
// entries of actions.
func TransferMetadataKey(key string) []byte { return composite("tam", key) }
func IssueMetadataKey(key string) []byte    { return composite("iam", key) }

// composite is a Fabric composite key: 00 ‖ part ‖ 00 ‖ part ‖ 00.
func composite(parts ...string) []byte {
	key := []byte{0}
	for _, p := range parts {
		key = append(append(key, p...), 0)
	}
	return key
}
