package request

import (
	"cmp"
	"math"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const (
	messageName = wire.Name("token request")
	version     = 1
)

// Kind is the kind of an action; its value is the number on the wire.
type Kind int

// The kinds of version 1.
const (
	Issue    Kind = 1
	Transfer Kind = 2
)

// String returns the name of the kind.
func (k Kind) String() string {
	if k == Issue {
		return "issue"
	}
	return "transfer"
}

// Action is a serialised action. Signatures cover Raw unchanged.
type Action struct {
	Kind Kind
	Raw  []byte
}

// Signature is one entry of the list of signatures: of an auditor if Auditor is
// set, and otherwise of an owner or issuer for the action with index ActionID.
type Signature struct {
	Auditor  []byte // a typed identity
	ActionID uint32
	Raw      []byte
}

// Request is a token request.
type Request struct {
	Actions    []Action
	Signatures []Signature // in the order of the list
}

// Limits bounds a request before it is read, and its actions before any curve
// work, which bounds the work as well.
type Limits struct {
	Bytes      int // of a request, and of its metadata
	Actions    int
	Signatures int
	// Verifications is the signature-verification budget of a request, in units
	// of one ECDSA P-256 verification. A multisig owner costs the sum of its
	// members.
	Verifications int
	// Tokens bounds the inputs and outputs of all actions together, and the
	// metadata entries of each action.
	Tokens token.Limits
}

// DefaultLimits are 4 MiB and 64 actions, inputs and outputs. Owners of inputs,
// issuers and auditors together can then give 192 signatures, some of which may
// need several verifications.
var DefaultLimits = Limits{Bytes: 4 << 20, Actions: 64, Signatures: 192, Verifications: 256,
	Tokens: token.DefaultLimits}

// WithDefaults returns l with each zero field replaced by the field of
// DefaultLimits.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits
	return Limits{
		Bytes: cmp.Or(l.Bytes, d.Bytes), Actions: cmp.Or(l.Actions, d.Actions),
		Signatures:    cmp.Or(l.Signatures, d.Signatures),
		Verifications: cmp.Or(l.Verifications, d.Verifications),
		Tokens:        l.Tokens.WithDefaults(),
	}
}

// Encode returns the serialised request.
func (r *Request) Encode() []byte {
	dst := wire.AppendUint(nil, 1, version)
	for _, a := range r.Actions {
		dst = wire.AppendMessage(dst, 2, func(dst []byte) []byte { return a.appendFields(dst) })
	}
	for _, s := range r.Signatures {
		dst = wire.AppendMessage(dst, 3, func(dst []byte) []byte { return s.appendFields(dst) })
	}
	return dst
}

func (a Action) appendFields(dst []byte) []byte {
	return wire.AppendMessage(dst, 1, func(dst []byte) []byte {
		return wire.AppendBytes(wire.AppendUint(dst, 1, uint64(a.Kind)), 2, a.Raw)
	})
}

func (s Signature) appendFields(dst []byte) []byte {
	if s.Auditor != nil {
		return wire.AppendMessage(dst, 2, func(dst []byte) []byte {
			return wire.AppendWrapped(wire.AppendWrapped(dst, 1, s.Auditor), 2, s.Raw)
		})
	}
	return wire.AppendMessage(dst, 1, func(dst []byte) []byte {
		return wire.AppendWrapped(wire.AppendUint(dst, 1, uint64(s.ActionID)), 2, s.Raw)
	})
}

// Decode reads a request. Every action must be an issue or a transfer with
// bytes; every signature must have bytes, and the signature of an auditor an
// identity. Errors are *wire.DecodeError.
func Decode(b []byte, limits Limits) (*Request, error) {
	m, err := open(messageName, b, limits.Bytes)
	if err != nil {
		return nil, err
	}
	r := &Request{}
	r.Actions = make([]Action, m.Count(2, "actions", limits.Actions))
	for i := range r.Actions {
		r.Actions[i] = readAction(&m, i)
	}
	r.Signatures = make([]Signature, m.Count(3, "signatures", limits.Signatures))
	for i := range r.Signatures {
		r.Signatures[i] = readSignature(&m, i)
	}
	if err := m.Done(); err != nil {
		return nil, err
	}
	return r, nil
}

// open begins to read a message with a version and a length of at most `most`
// bytes.
func open(messageName wire.Name, b []byte, most int) (wire.Message, error) {
	m := wire.NewMessage(messageName, b)
	switch {
	case len(b) == 0:
		return m, messageName.Bad("message", wire.ErrMissing)
	case len(b) > most:
		return m, messageName.Bad("message", wire.ErrTooLarge)
	}
	if m.Uint(1, "version", version) != version {
		m.Fail("version", wire.ErrMissing)
	}
	return m, nil
}

func readAction(m *wire.Message, i int) Action {
	sub := m.SubAt(2, "actions", i)
	typed := sub.Sub(1, "typed action")
	a := Action{Kind: Kind(typed.Uint(1, "type", uint64(Transfer))), Raw: typed.Bytes(2, "raw")}
	switch {
	case typed.Done() != nil:
	case a.Kind == 0:
		typed.Fail("type", wire.ErrMissing)
	case len(a.Raw) == 0:
		typed.Fail("raw", wire.ErrMissing)
	}
	sub.Done()
	return a
}

func readSignature(m *wire.Message, i int) (s Signature) {
	sub := m.SubAt(3, "signatures", i)
	if sub.Has(2) {
		auditor := sub.Sub(2, "auditor signature")
		s.Auditor = auditor.Wrapped(1, "identity")
		if s.Auditor == nil {
			auditor.Fail("identity", wire.ErrMissing)
		}
		s.Raw = readRaw(&auditor)
	} else {
		action := sub.Sub(1, "action signature")
		s.ActionID = uint32(action.Uint(1, "action id", math.MaxUint32))
		s.Raw = readRaw(&action)
	}
	sub.Done()
	return s
}

// readRaw reads the bytes of a signature, the last field of m.
func readRaw(m *wire.Message) []byte {
	raw := m.Wrapped(2, "signature")
	if m.Done() == nil && raw == nil {
		m.Fail("signature", wire.ErrMissing)
	}
	return raw
}
