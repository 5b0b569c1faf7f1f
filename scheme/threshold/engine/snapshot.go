package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// version of the format of snapshots.
const version = 1

// Bytes are written in JSON as hexadecimal text.
type Bytes []byte

// MarshalText implements encoding.TextMarshaler.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(b)), nil }

// UnmarshalText implements encoding.TextUnmarshaler. Upper case is refused.
func (b *Bytes) UnmarshalText(text []byte) error {
	raw, _ := hex.DecodeString(string(text)) // the bytes before an error
	if hex.EncodeToString(raw) != string(text) {
		return errors.New("is not lower-case hexadecimal text")
	}
	*b = raw
	return nil
}

// Snapshot is a recorded run.
type Snapshot struct {
	Version      int              `json:"version"`
	Case         string           `json:"case"`
	MaxMalicious int              `json:"max_malicious"`
	Parties      int              `json:"parties"`
	Coordinator  uint32           `json:"coordinator"`
	Codec        string           `json:"codec"`
	Seed         uint64           `json:"seed"`
	Messages     []Recorded       `json:"messages"`
	Outputs      map[string]Bytes `json:"outputs"` // SHA-256 of each output by party
	Digest       Bytes            `json:"digest"`  // SHA-256 of the rest
}

// Recorded is a message in a snapshot.
type Recorded struct {
	Round int    `json:"round"`
	From  uint32 `json:"from"`
	To    uint32 `json:"to"`
	Step  string `json:"step"`
	Body  Bytes  `json:"body"`
}

// The errors of snapshots.
var (
	ErrSnapshot = errors.New("is not a snapshot")
	ErrDigest   = errors.New("digest of the snapshot is wrong")
)

// Record runs all parties and keeps their messages in s, which describes the run.
func Record(s Snapshot, parties []Party) (*Snapshot, error) {
	t, err := Run(parties)
	if err != nil {
		return nil, err
	}
	s.Version, s.Outputs = version, map[string]Bytes{}
	s.Messages = nil
	for _, m := range t.Messages {
		s.Messages = append(s.Messages, Recorded{Round: m.Round, From: m.From, To: m.To,
			Step: m.Step, Body: m.Body})
	}
	for _, p := range parties {
		hash := sha256.Sum256(p.Output())
		s.Outputs[fmt.Sprint(p.ID())] = hash[:]
	}
	s.Digest = s.digest()
	return &s, nil
}

// digest is SHA-256 over the JSON form without the digest.
func (s Snapshot) digest() []byte {
	s.Digest = nil
	b, _ := json.Marshal(s) // a snapshot has only values that JSON can hold
	hash := sha256.Sum256(b)
	return hash[:]
}

// Encode returns the snapshot as JSON.
func (s *Snapshot) Encode() []byte {
	b, _ := json.MarshalIndent(s, "", " ") // a snapshot has only values that JSON can hold
	return append(b, '\n')
}

// maxSnapshot bounds the size of an encoded snapshot in bytes.
const maxSnapshot = 1 << 30

// DecodeSnapshot reads exactly the output of Encode: ErrSnapshot, or ErrDigest together
// with the snapshot.
func DecodeSnapshot(b []byte) (*Snapshot, error) {
	if len(b) > maxSnapshot {
		return nil, fmt.Errorf("%w: it has %d bytes", ErrSnapshot, len(b))
	}
	s := new(Snapshot)
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	if s.Version != version {
		return nil, fmt.Errorf("%w: version %d is not %d", ErrSnapshot, s.Version, version)
	}
	if !slices.IsSortedFunc(s.All(), order) {
		return nil, fmt.Errorf("%w: messages are not in order", ErrSnapshot)
	}
	if !bytes.Equal(s.Encode(), b) {
		return nil, fmt.Errorf("%w: it is not in its one encoding", ErrSnapshot)
	}
	if !bytes.Equal(s.Digest, s.digest()) {
		return s, ErrDigest
	}
	return s, nil
}

// All returns the recorded messages in canonical order.
func (s *Snapshot) All() []Message {
	ms := make([]Message, len(s.Messages))
	for i, m := range s.Messages {
		ms[i] = Message{From: m.From, To: m.To, Round: m.Round, Step: m.Step, Body: m.Body}
	}
	return ms
}
