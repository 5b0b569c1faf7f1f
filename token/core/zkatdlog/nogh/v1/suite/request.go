package suite

import (
	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// The operations on whole requests.
var (
	// validatorTransfer validates a request with one transfer.
	validatorTransfer = onPresentations(reading(onRequests("ValidatorTransfer", validating("transfers")),
		readRequest))
	// validatorIssue validates a request with one issue.
	validatorIssue = withoutInputs(reading(onRequests("ValidatorIssue", validating("issues")), readRequest))
	// transferServiceTransfer loads tokens by id and makes a request with one
	// transfer, signed by all owners and serialised.
	transferServiceTransfer = also("Transfer", onRequests("TransferServiceTransfer", transferService(false)))
	// issueServiceIssue makes a request with one issue, signed and serialised.
	issueServiceIssue = withoutInputs(onRequests("IssueServiceIssue", prepareIssueService))
	// auditorServiceCheck opens all outputs of a request with one transfer and
	// identifies the parties.
	auditorServiceCheck = reading(onRequests("AuditorServiceCheck",
		onRequest("transfers", func(s setting, a *v1.Assembly) (bench.Instance, error) {
			return s.auditing(a.AuditRequest()), nil
		})), readAudit)
)

// The other operations of a network's plan (plan.go). They must
// be named.
var (
	// validatorRedeem validates a request with one redeem.
	validatorRedeem = named(onPresentations(reading(onRequests("ValidatorRedeem", validating("redeems")),
		readRequest)))
	// validatorBatch validates many requests with one transfer together.
	validatorBatch = batched(onRequests("ValidatorBatch", prepareValidatorBatch))
	// transferServiceRedeem makes a request with one redeem, signed and
	// serialised.
	transferServiceRedeem = named(onRequests("TransferServiceRedeem", transferService(true)))
	// auditorEndorseTransfer opens a request with one transfer and signs it,
	// auditorEndorseIssue one with an issue, auditorEndorseRedeem one with a
	// redeem.
	auditorEndorseTransfer = named(onRequests("AuditorEndorseTransfer", endorsing("transfers")))
	auditorEndorseIssue    = named(withoutInputs(onRequests("AuditorEndorseIssue", endorsing("issues"))))
	auditorEndorseRedeem   = named(onRequests("AuditorEndorseRedeem", endorsing("redeems")))
	// ledgerTransfer reads and deletes the inputs of a validated transfer and
	// writes its outputs, in a ledger in memory; ledgerIssue and ledgerRedeem do
	// so for issues and redeems.
	ledgerTransfer = named(onRequests("LedgerTransfer", applying("transfers")))
	ledgerIssue    = named(withoutInputs(onRequests("LedgerIssue", applying("issues"))))
	ledgerRedeem   = named(onRequests("LedgerRedeem", applying("redeems")))
)

// named excludes op from runs of all operations.
func named(op bench.Op) bench.Op {
	op.OnRequest = true
	return op
}

// also gives the benchmarks of op a second name.
func also(name string, op bench.Op) bench.Op {
	op.Also = name
	return op
}

// onRequests returns an operation that depends on the kind of owners.
func onRequests(name string, prepare func(setting) (bench.Instance, error)) bench.Op {
	op := operation(name, prepare)
	op.Without = bench.Axes(batchSize, presentations)
	return op
}

// onPresentations returns an operation on requests that verifies the owners of
// inputs.
func onPresentations(op bench.Op) bench.Op {
	op.Without = bench.Axes(batchSize)
	return op
}

const anchor = "tx"

// maxSignature is the length of the longest ECDSA signature on P-256; r and
// s are sometimes shorter, at random. Idemix signatures are longer and of
// constant length.
const maxSignature = 72

// requestSize is the exact figure of a serialised request, as if all ECDSA
// signatures had the maximum length.
func requestSize(raw []byte) []bench.Metric {
	r, err := request.Decode(raw, request.DefaultLimits)
	if err != nil {
		return nil
	}
	for i := range r.Signatures {
		raw := &r.Signatures[i].Raw
		shown, err := hashed.DecodeSignature(*raw)
		if err != nil {
			*raw = make([]byte, max(maxSignature, len(*raw)))
			continue
		}
		shown.Raw = make([]byte, max(maxSignature, len(shown.Raw)))
		*raw, err = shown.Encode()
		if err != nil {
			return nil
		}
	}
	return []bench.Metric{{Value: float64(len(r.Encode())), Unit: "request-B"}}
}

// newRequest makes a signed request of a kind of package fixture.
func newRequest(s setting, kind string) (*v1.Assembly, error) {
	if s.clear {
		return newClearRequest(s, kind)
	}
	return s.network.Request(anchor, fixture.Shape{Kind: kind, Inputs: s.inputs, Outputs: s.outputs}, s.seed)
}

// onRequest returns the set-up of an operation on a request of a kind of package
// fixture.
func onRequest(kind string,
	prepare func(setting, *v1.Assembly) (bench.Instance, error)) func(setting) (bench.Instance, error) {
	return func(s setting) (bench.Instance, error) {
		a, err := newRequest(s, kind)
		if err != nil {
			return bench.Instance{}, err
		}
		return prepare(s, a)
	}
}

func validating(kind string) func(setting) (bench.Instance, error) {
	return onRequest(kind, func(s setting, a *v1.Assembly) (bench.Instance, error) {
		return readRequest(s, [][]byte{a.Request.Encode()})
	})
}

// readRequest returns the operation that validates a request decoded from its
// encoding.
func readRequest(s setting, inputs [][]byte) (bench.Instance, error) {
	if len(inputs) != 1 {
		return bench.Instance{}, errInputs
	}
	return s.validating(s.validator(), inputs[0]), nil
}

// validator returns a validator of the requests of the setting.
func (s setting) validator() *validator.Validator {
	if s.clear {
		return s.network.ClearValidator(validator.Options{Executor: s.executor})
	}
	return s.network.Validator(validator.Options{Executor: s.executor})
}

func (s setting) validating(v *validator.Validator, raw []byte) bench.Instance {
	validate := func(anchor string) error { _, err := v.Validate(anchor, raw); return err }
	return bench.Instance{
		Work:   func() ([]byte, error) { return nil, validate(anchor) },
		Check:  func([]byte) error { return refused(validate(anchor + "'")) },
		Exact:  func([]byte) []bench.Metric { return requestSize(raw) },
		Fresh:  func() (bench.Instance, error) { return s.validating(v, append([]byte(nil), raw...)), nil },
		Inputs: func() [][]byte { return [][]byte{raw} },
	}
}

// serving returns the operation that makes and signs a request of one part.
func (s setting) serving(part func() (*v1.Part, error)) bench.Instance {
	return bench.Instance{
		Work: func() ([]byte, error) {
			a, err := signed(part)
			if err != nil {
				return nil, err
			}
			return a.Request.Encode(), nil
		},
		Check: s.acceptable,
		Exact: requestSize,
	}
}

// signed makes and signs a request of one part.
func signed(part func() (*v1.Part, error)) (*v1.Assembly, error) {
	p, err := part()
	if err != nil {
		return nil, err
	}
	a, err := v1.Assemble(anchor, p)
	if err == nil {
		err = a.Sign()
	}
	return a, err
}

// acceptable validates a request after the auditor has signed it.
func (s setting) acceptable(raw []byte) error {
	r, err := request.Decode(raw, request.DefaultLimits)
	if err != nil {
		return err
	}
	message, err := r.Message(anchor)
	if err != nil {
		return err
	}
	auditor := s.network.Auditor
	signature, err := auditor.Sign(message)
	if err != nil {
		return err
	}
	r.Signatures = append([]request.Signature{{Auditor: auditor.Identity(), Raw: signature}}, r.Signatures...)
	_, err = s.validator().Validate(anchor, r.Encode())
	return err
}

// transferService returns the set-up of a service that makes transfers, or redeems.
func transferService(redeem bool) func(setting) (bench.Instance, error) {
	return func(s setting) (bench.Instance, error) {
		service, order, err := s.network.TransferOrder(s.seed, s.inputs, s.outputs, redeem)
		service.Executor, service.Random = s.executor, s.random
		return s.serving(func() (*v1.Part, error) { return service.Transfer(order) }), err
	}
}

func prepareIssueService(s setting) (bench.Instance, error) {
	service, order, err := s.network.IssueOrder(s.seed, s.outputs)
	service.Executor, service.Random = s.executor, s.random
	return s.serving(func() (*v1.Part, error) { return service.Issue(order) }), err
}

// readAudit returns the operation that audits a request decoded from its
// encoding and the encoding of its metadata.
func readAudit(s setting, inputs [][]byte) (bench.Instance, error) {
	a, err := newRequest(s, "transfers")
	if err != nil {
		return bench.Instance{}, err
	}
	if len(inputs) != 2 {
		return bench.Instance{}, errInputs
	}
	r := a.AuditRequest()
	r.Raw, r.Metadata = inputs[0], inputs[1]
	return s.auditing(r), nil
}

func (s setting) auditing(r audit.Request) bench.Instance {
	auditor := s.network.Audit()
	check := func(r audit.Request) error { _, err := auditor.Check(r); return err }
	return bench.Instance{
		Work: func() ([]byte, error) { return nil, check(r) },
		Check: func([]byte) error {
			unknown := r
			unknown.Inputs = nil
			return refused(check(unknown))
		},
		Exact:  func([]byte) []bench.Metric { return requestSize(r.Raw) },
		Inputs: func() [][]byte { return [][]byte{r.Raw, r.Metadata} },
	}
}
