package validator

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
)

// publicPrefix starts the keys of metadata that any party may add.
const publicPrefix = "pub."

// scripts checks the conditions of hash-time-locked owners in a transfer, and
// that the metadata contains exactly their entries (section 15).
func (c *check) scripts(a *transfer.Action) error {
	entries := entries{}
	for i, in := range a.Inputs {
		if err := c.unlock(a, in.Token.Owner, entries); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	for j, out := range a.Outputs {
		if out.IsRedeemed() {
			continue
		}
		if err := c.lock(out.Owner, entries); err != nil {
			return fmt.Errorf("output %d: %w", j, err)
		}
	}
	return counted(a.Metadata, entries)
}

// entries are the required entries of metadata: each key with a test of its
// value.
type entries map[string]func(value []byte) bool

// add adds an entry, or returns ErrMetadata if its key exists.
func (e entries) add(key string, test func(value []byte) bool) error {
	if _, twice := e[key]; twice {
		return ErrMetadata
	}
	e[key] = test
	return nil
}

// counted accepts metadata with exactly the required entries, plus any with the
// public prefix.
func counted(metadata map[string][]byte, demanded entries) error {
	for key, test := range demanded {
		value, ok := metadata[key]
		if !ok || !test(value) {
			return ErrMetadata
		}
	}
	for key := range metadata {
		if _, ok := demanded[key]; !ok && !strings.HasPrefix(key, publicPrefix) {
			return ErrMetadata
		}
	}
	return nil
}

// script returns the script of an owner; ok is false if it lacks one.
func script(owner []byte) (htlc.Script, bool, error) {
	typed, err := identity.Decode(owner)
	if err != nil || typed.Type != identity.HTLC {
		return htlc.Script{}, false, err
	}
	s, err := htlc.Decode(typed.Raw)
	return s, true, err
}

// lock checks that a new token with a script can be claimed before its
// deadline.
func (c *check) lock(owner []byte, e entries) error {
	s, ok, err := script(owner)
	if err != nil || !ok {
		return err
	}
	if s.Deadline.Before(c.now) {
		return fmt.Errorf("deadline is past: %w", ErrScript)
	}
	if err := s.HashInfo.Check(); err != nil {
		return err
	}
	key, text := s.HashInfo.LockEntry()
	return e.add(key, func(value []byte) bool { return bytes.Equal(value, text) })
}

// unlock checks that a token with a script goes completely to its recipient
// before the deadline, with the pre-image in the metadata, and back to its
// sender afterwards.
func (c *check) unlock(a *transfer.Action, owner []byte, e entries) error {
	s, ok, err := script(owner)
	if err != nil || !ok {
		return err
	}
	if len(a.Inputs) != 1 || len(a.Outputs) != 1 {
		return fmt.Errorf("transfer of a script must have one input and one output: %w", ErrScript)
	}
	if !s.IsClaim(c.now) {
		if !bytes.Equal(a.Outputs[0].Owner, s.Sender) {
			return fmt.Errorf("the sender of the script must reclaim the token: %w", ErrScript)
		}
		return nil
	}
	if !bytes.Equal(a.Outputs[0].Owner, s.Recipient) {
		return fmt.Errorf("the recipient of the script must claim the token: %w", ErrScript)
	}
	return e.add(s.HashInfo.ClaimKey(), s.HashInfo.Opens)
}
