package request

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// MaxAnchor is the length of the longest anchor in bytes.
const MaxAnchor = 128

var (
	// ErrAnchor reports an anchor that CheckAnchor refuses.
	ErrAnchor = errors.New("anchor is empty, too long or reserved")
	// ErrKey reports a name that may not become a part of a ledger key.
	ErrKey = errors.New("name may not be a part of a ledger key")
)

// keyWords begin the keys of a ledger that are not of tokens: of markers, requests, and
// metadata of transfers and issues (package ledger).
var keyWords = []string{"osn", "tr", "tam", "iam"}

// CheckKey returns ErrKey if text is not valid UTF-8, or contains NUL, which separates the
// parts of a key, or U+10FFFF, which ends a range of keys.
func CheckKey(text string) error {
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\U0010FFFF") {
		return ErrKey
	}
	return nil
}

// CheckAnchor checks that an anchor may begin the keys of the tokens of its request. The
// error is ErrAnchor if it is empty, longer than MaxAnchor or a word that begins other keys
// of a ledger, and ErrKey if it is not text for a key.
func CheckAnchor(anchor string) error {
	if err := checkLen(anchor); err != nil {
		return err
	}
	if slices.Contains(keyWords, anchor) {
		return ErrAnchor
	}
	return CheckKey(anchor)
}

// CheckInput checks the name and the bytes of a token that a request spends. Tokens that
// pass have different keys if they differ. The marker of a token hashes transaction id,
// index in eight bytes with the lowest first, and bytes, without lengths. So the id must
// pass CheckAnchor, the index must be below 2^32, and the first byte must not be 0. The
// error is ErrAnchor or ErrKey.
func CheckInput(id token.ID, raw []byte) error {
	if err := CheckAnchor(id.TxID); err != nil {
		return err
	}
	if id.Index > math.MaxUint32 || len(raw) == 0 || raw[0] == 0 {
		return ErrKey
	}
	return nil
}

// CheckMetadataKeys checks each key of an action's metadata by CheckKey.
func CheckMetadataKeys(metadata map[string][]byte) error {
	for key := range metadata {
		if err := CheckKey(key); err != nil {
			return err
		}
	}
	return nil
}

func checkLen(anchor string) error {
	if len(anchor) == 0 || len(anchor) > MaxAnchor {
		return ErrAnchor
	}
	return nil
}
