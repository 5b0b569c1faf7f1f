package engine

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
)

// Place identifies a party of a case.
type Place struct {
	Case         string
	Parties      int
	MaxMalicious int
	ID           uint32
}

// Random returns the randomness of a party: ChaCha8 keyed by HKDF-SHA256 of the
// seed and the place. Equal seeds give equal bytes. It is for benchmarks: nonces of
// signatures that protect value must not follow from a seed.
func Random(seed uint64, p Place) (io.Reader, error) {
	var secret [8]byte
	binary.BigEndian.PutUint64(secret[:], seed)
	info := "zkatbench/threshold/party/v1" + p.Case
	for _, v := range []uint32{uint32(p.Parties), uint32(p.MaxMalicious), p.ID} {
		info = string(binary.BigEndian.AppendUint32([]byte(info), v))
	}
	key, err := hkdf.Key(sha256.New, secret[:], nil, info, 32)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return rand.NewChaCha8([32]byte(key)), nil
}
