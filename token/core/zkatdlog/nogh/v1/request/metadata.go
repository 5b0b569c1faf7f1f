package request

import (
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Metadata accompanies a request to an auditor (section 17): one entry for each
// action, in order.
type Metadata struct {
	Actions     []ActionMetadata
	Application map[string][]byte
}

// ActionMetadata describes one action. Inputs of an issue are without Senders.
type ActionMetadata struct {
	ActionID     uint32
	Kind         Kind
	Issuer       *Party // nil for transfers without an issuer
	Inputs       []InputMetadata
	Outputs      []OutputMetadata
	ExtraSigners []Party
}

// InputMetadata describes one input.
type InputMetadata struct {
	ID      token.ID
	Senders []Party
}

// OutputMetadata describes one output: its opening, the audit information of
// its owner, and the receivers.
type OutputMetadata struct {
	Opening   []byte // a typed opening (section 4.4)
	AuditInfo []byte
	Receivers []Party
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (OutputMetadata) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "metadata of an output") }

// Party is an identity with its audit information. The receiver of a redeemed
// output lacks an identity.
type Party struct{ Identity, AuditInfo []byte }

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Party) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "party") }

const metadataName = "request metadata"

// Encode returns the serialised metadata. Entries of the application are sorted
// by key.
func (md *Metadata) Encode() []byte {
	dst := wire.AppendUint(nil, 1, version)
	for _, a := range md.Actions {
		dst = wire.AppendMessage(dst, 2, func(dst []byte) []byte { return a.appendFields(dst) })
	}
	return wire.AppendMap(dst, 3, md.Application)
}

func (a *ActionMetadata) appendFields(dst []byte) []byte {
	dst = wire.AppendUint(dst, 1, uint64(a.ActionID))
	if a.Kind == Issue {
		return wire.AppendMessage(dst, 2, func(dst []byte) []byte {
			dst = a.appendIssuer(dst, 1)
			for _, in := range a.Inputs {
				dst = wire.AppendMessage(dst, 2, func(dst []byte) []byte { return in.ID.AppendField(dst, 1) })
			}
			return appendParties(a.appendOutputs(dst, 3), 4, a.ExtraSigners)
		})
	}
	return wire.AppendMessage(dst, 3, func(dst []byte) []byte {
		for _, in := range a.Inputs {
			dst = wire.AppendMessage(dst, 1, func(dst []byte) []byte {
				return appendParties(in.ID.AppendField(dst, 1), 2, in.Senders)
			})
		}
		dst = a.appendIssuer(a.appendOutputs(dst, 2), 3)
		return appendParties(dst, 4, a.ExtraSigners)
	})
}

func (a *ActionMetadata) appendIssuer(dst []byte, n protowire.Number) []byte {
	if a.Issuer == nil {
		return dst
	}
	return appendParties(dst, n, []Party{*a.Issuer})
}

func (a *ActionMetadata) appendOutputs(dst []byte, n protowire.Number) []byte {
	for _, out := range a.Outputs {
		dst = wire.AppendMessage(dst, n, func(dst []byte) []byte {
			dst = wire.AppendBytes(wire.AppendBytes(dst, 1, out.Opening), 2, out.AuditInfo)
			return appendParties(dst, 3, out.Receivers)
		})
	}
	return dst
}

func appendParties(dst []byte, n protowire.Number, parties []Party) []byte {
	for _, p := range parties {
		dst = wire.AppendMessage(dst, n, func(dst []byte) []byte {
			return wire.AppendBytes(wire.AppendWrapped(dst, 1, p.Identity), 2, p.AuditInfo)
		})
	}
	return dst
}

// DecodeMetadata reads the metadata of a request. Errors are
// *wire.DecodeError.
func DecodeMetadata(b []byte, limits Limits) (*Metadata, error) {
	m, err := open(metadataName, b, limits.Bytes)
	if err != nil {
		return nil, err
	}
	md := &Metadata{Actions: make([]ActionMetadata, m.Count(2, "metadata", limits.Actions))}
	for i := range md.Actions {
		md.Actions[i] = readActionMetadata(&m, i, limits)
	}
	md.Application = m.Map(3, "application metadata", limits.Tokens.Metadata)
	if err := m.Done(); err != nil {
		return nil, err
	}
	return md, nil
}

func readActionMetadata(m *wire.Message, i int, limits Limits) ActionMetadata {
	sub := m.SubAt(2, "metadata", i)
	a := ActionMetadata{ActionID: uint32(sub.Uint(1, "action id", math.MaxUint32)), Kind: Transfer}
	if sub.Has(2) {
		a.Kind = Issue
		issue := sub.Sub(2, "issue")
		a.Issuer = readIssuer(&issue, 1)
		a.Inputs = readInputs(&issue, 2, limits, noSenders)
		a.Outputs = readOutputs(&issue, 3, limits)
		a.ExtraSigners = readParties(&issue, 4, "extra signers", limits)
		issue.Done()
	} else {
		transfer := sub.Sub(3, "transfer")
		a.Inputs = readInputs(&transfer, 1, limits, readSenders)
		a.Outputs = readOutputs(&transfer, 2, limits)
		a.Issuer = readIssuer(&transfer, 3)
		a.ExtraSigners = readParties(&transfer, 4, "extra signers", limits)
		transfer.Done()
	}
	sub.Done()
	return a
}

func readIssuer(m *wire.Message, n protowire.Number) *Party {
	if !m.Has(n) {
		return nil
	}
	sub := m.Sub(n, "issuer")
	p := readParty(&sub)
	return &p
}

// noSenders are the senders of an issue, whose inputs have none.
func noSenders(*wire.Message, Limits) []Party { return nil }

func readSenders(m *wire.Message, limits Limits) []Party {
	return readParties(m, 2, "senders", limits)
}

func readInputs(m *wire.Message, n protowire.Number, limits Limits,
	senders func(*wire.Message, Limits) []Party) []InputMetadata {
	inputs := make([]InputMetadata, m.Count(n, "inputs", limits.Tokens.Inputs))
	for i := range inputs {
		sub := m.SubAt(n, "inputs", i)
		inputs[i].ID = token.ReadID(&sub, 1, "token id")
		inputs[i].Senders = senders(&sub, limits)
		sub.Done()
	}
	return inputs
}

func readOutputs(m *wire.Message, n protowire.Number, limits Limits) []OutputMetadata {
	outputs := make([]OutputMetadata, m.Count(n, "outputs", limits.Tokens.Outputs))
	for j := range outputs {
		sub := m.SubAt(n, "outputs", j)
		outputs[j] = OutputMetadata{Opening: sub.Bytes(1, "opening"), AuditInfo: sub.Bytes(2, "audit info")}
		outputs[j].Receivers = readParties(&sub, 3, "receivers", limits)
		sub.Done()
	}
	return outputs
}

func readParties(m *wire.Message, n protowire.Number, field string, limits Limits) []Party {
	parties := make([]Party, m.Count(n, field, limits.Tokens.Outputs))
	for i := range parties {
		sub := m.SubAt(n, field, i)
		parties[i] = readParty(&sub)
	}
	return parties
}

// readParty reads one party; its identity message is present even if empty.
func readParty(m *wire.Message) Party {
	id := m.Sub(1, "identity")
	p := Party{Identity: id.Bytes(1, "raw")}
	id.Done()
	p.AuditInfo = m.Bytes(2, "audit info")
	m.Done()
	return p
}
