package badinput_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

var (
	secret   = []byte("secret")
	deadline = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	before   = deadline.Add(-time.Nanosecond)
)

// claimer signs for the recipient of a script.
type claimer struct {
	identity.Signer
	preimage []byte
}

func (c claimer) Sign(message []byte) ([]byte, error) {
	return htlc.Sign(c.Signer, message, c.preimage)
}

// scripted is a transfer of one input to one output; one of them has the script.
type scripted struct {
	*transfer.Action
	script    htlc.Script
	sender    identity.Signer
	recipient identity.Signer
	signer    identity.Signer // of the input
	issuer    []byte          // who may approve a redeem
}

// lock makes the output one with the script.
func (s *scripted) lock() {
	s.Outputs[0].Owner = s.owner()
	key, value := s.script.HashInfo.LockEntry()
	s.Metadata = map[string][]byte{key: value}
}

// claim makes the input one with the script that its recipient spends.
func (s *scripted) claim(preimage []byte) {
	s.Inputs[0].Token.Owner, s.Outputs[0].Owner = s.owner(), s.script.Recipient
	s.signer = claimer{s.recipient, preimage}
	s.Metadata = map[string][]byte{s.script.HashInfo.ClaimKey(): preimage}
}

// reclaim makes the input one with the script that its sender has back.
func (s *scripted) reclaim() {
	s.Inputs[0].Token.Owner, s.Outputs[0].Owner, s.signer = s.owner(), s.script.Sender, s.sender
}

func (s *scripted) owner() []byte {
	id, err := s.script.Encode()
	if err != nil {
		panic(err)
	}
	return id
}

const scriptRule = "transfer: scripts and metadata"

// scriptCases are transfers with scripts at a time; cases without rule are right. Package v1
// makes each item of right transfers with scripts wrong, and package validator has the
// deadline of a lock.
var scriptCases = map[string]struct {
	now  time.Time
	edit func(s *scripted)
	rule string
	err  error
}{
	"lock with a public entry": {before, func(s *scripted) {
		s.lock()
		s.Metadata["pub."] = nil
	}, "", nil},
	"claim": {before, func(s *scripted) { s.claim(secret) }, "", nil},
	"claim at the deadline": {deadline, func(s *scripted) {
		s.claim(secret)
	}, scriptRule, validator.ErrScript},
	"claim that burns": {before, func(s *scripted) {
		s.claim(secret)
		s.Outputs[0].Owner = nil
	}, "transfer: redeem", validator.ErrNoIssuer},
	"claim that burns with an issuer": {before, func(s *scripted) {
		s.claim(secret)
		s.Outputs[0].Owner, s.Issuer = nil, s.issuer
	}, scriptRule, validator.ErrScript},
	"claim with a wrong pre-image": {before, func(s *scripted) {
		s.claim([]byte("guess"))
	}, scriptRule, validator.ErrMetadata},
	"claim with a wrong pre-image in the signature alone": {before, func(s *scripted) {
		s.claim(secret)
		s.signer = claimer{s.recipient, []byte("guess")}
	}, "signatures", identity.ErrSignature},
	"claim with an empty pre-image": {before, func(s *scripted) {
		s.script.HashInfo = htlc.NewLock(nil)
		s.claim([]byte{})
	}, scriptRule, validator.ErrMetadata},
	"claim by the sender": {before, func(s *scripted) {
		s.claim(secret)
		s.signer = claimer{s.sender, secret}
	}, "signatures", identity.ErrSignature},
	"reclaim":                     {deadline, (*scripted).reclaim, "", nil},
	"reclaim before the deadline": {before, (*scripted).reclaim, scriptRule, validator.ErrScript},
	"reclaim with the entry of a claim": {deadline, func(s *scripted) {
		s.reclaim()
		s.Metadata = map[string][]byte{s.script.HashInfo.ClaimKey(): secret}
	}, scriptRule, validator.ErrMetadata},
	"reclaim by the recipient": {deadline, func(s *scripted) {
		s.reclaim()
		s.signer = s.recipient
	}, "signatures", identity.ErrSignature},
}

func TestScripts(t *testing.T) {
	m := newMeaning(t)
	for name, c := range scriptCases {
		t.Run(name, func(t *testing.T) {
			m := meaning{m.Network, t}
			raw := m.scripted(c.edit, 1, 1)
			for _, follow := range []request.Version{request.Strict, request.V0_15} {
				o := validator.Options{Now: func() time.Time { return c.now }, Follow: follow}
				_, err := m.Validator(o).Validate(anchor, raw)
				if c.rule == "" {
					require.NoError(t, err)
				} else {
					m.refused(err, c.rule, c.err)
				}
			}
		})
	}
}

// TestScriptsGoWhole: a token with a script is the only input, and goes to one
// output.
func TestScriptsGoWhole(t *testing.T) {
	m := newMeaning(t)
	for _, shape := range [][2]int{{1, 2}, {2, 1}} {
		raw := m.scripted(func(s *scripted) { s.claim(secret) }, shape[0], shape[1])
		_, err := m.Validator(validator.Options{Now: func() time.Time { return before }}).Validate(anchor,
			raw)
		m.refused(err, scriptRule, validator.ErrScript)
	}
}

// scripted returns a signed transfer.
func (m meaning) scripted(edit func(s *scripted), inputs, outputs int) []byte {
	p, g := networktest.Parts(m.t, m.Network, "transfers", inputs, outputs, 1)[0], m.Params.Group()
	a := networktest.Transfer(m.t, g, p.Action.Raw)
	sender, recipient := m.stranger(), p.Signers[0]
	s := &scripted{
		Action: a, sender: sender, recipient: recipient, signer: recipient, issuer: m.Issuer.Identity(),
		script: htlc.Script{
			Sender: sender.Identity(), Recipient: recipient.Identity(), Deadline: deadline,
			HashInfo: htlc.NewLock(secret),
		},
	}
	edit(s)
	p.Action.Raw, p.Signers[0] = a.Encode(g), s.signer
	return m.sign(p).Encode()
}
