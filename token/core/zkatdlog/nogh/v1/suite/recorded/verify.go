package recorded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ErrDiffers reports a verdict other than the expected one.
var ErrDiffers = errors.New("some verdicts differ from the files")

// Verify verifies the requests of files, by the rules of the version that recorded each or by others, and
// prints the outcomes. The error is ErrDiffers if a verdict differs.
func Verify(ctx context.Context, paths []string, rules *v1request.Version, out io.Writer) error {
	var all counts
	var last verifier
	for i, path := range paths {
		err := last.verifyFile(ctx, path, rules, &all, out)
		if err != nil && ctx.Err() != nil {
			fmt.Fprintf(out, "interrupted after %d of %d files, requests: %d, verdicts that differ: %d\n", i,
				len(paths), all.requests, all.differ)
			return err
		}
		if err != nil {
			if errors.Is(err, outfile.ErrInput) { // names the file
				return err
			}
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	fmt.Fprintf(out, "files: %d, requests: %d, verdicts that differ: %d\n", len(paths), all.requests,
		all.differ)
	if all.stricter > 0 {
		fmt.Fprintf(out, "refused for their encoding, which honest parties do not write: %d\n", all.stricter)
	}
	if all.differ > 0 {
		return ErrDiffers
	}
	return nil
}

// verifier gives verdicts on the requests of files with the same parameters. It makes their
// tables once, as this takes longer than to verify a file.
type verifier struct {
	raw       []byte // the parameters
	follow    v1request.Version
	params    *params.Params
	validator validator.Options
	auditor   *audit.Auditor
}

// knownKeys is the number of keys with kept multiples.
const knownKeys = 1024

// newVerifier decodes public parameters and returns a verifier that follows a version. Limits
// are wider for versions that do not bound the work.
func newVerifier(raw []byte, version v1request.Version) (j verifier, err error) {
	j = verifier{raw: raw, follow: version}
	j.params, err = params.Decode(raw,
		params.Options{Group: curves.ByID, AllowForeignGenerators: true,
			AllowForeignGeneratorsV2: true})
	if err != nil {
		return j, err
	}
	j.params.Precompute()
	identities := identity.Registry{identity.X509: x509.NewKeys(ecdsap256.New(knownKeys)).Verifier}
	matchers := audit.Matchers{identity.X509: audit.AtOnce(x509.Match)}
	var keys []idemix.Key
	for _, k := range j.params.IdemixKeys() {
		keys = append(keys, idemix.Key(k))
	}
	limits := v1request.DefaultLimits
	if version != v1request.Strict { // the reference does not bound the work
		limits.Actions, limits.Signatures, limits.Verifications = 1<<10, 1<<14, 1<<14
		limits.Tokens = token.Limits{Inputs: 1 << 10, Outputs: 1 << 10, Metadata: limits.Tokens.Metadata}
	}
	if ks, err := idemix.New(keys); err == nil { // networks without Idemix may have no usable key
		ks.Register(identities)
		maps.Copy(matchers, ks.Matchers())
		limits.Verifications += limits.Tokens.Inputs * ks.Cost()
	}
	j.validator = validator.Options{Identities: identities, Limits: limits, AllowUnsoundV1Bulletproofs: true,
		Follow: version}
	j.auditor = audit.New(j.params, audit.Options{Matchers: matchers, Follow: version})
	return j, nil
}

// outcome is the result of one case.
type outcome struct {
	refused, audit error
	audited        bool
	differs        []string
	// stricter lists accepted requests that are refused for their encoding.
	stricter []string
}

// counts are the numbers of requests, of unexpected verdicts, and of requests that
// the reference accepts and that are refused for their encoding.
type counts struct{ requests, differ, stricter int }

// verifyFile verifies one file, prints the outcomes and counts them.
func (j *verifier) verifyFile(ctx context.Context, path string, rules *v1request.Version, all *counts,
	out io.Writer) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f, name, err := readVectors(path)
	if err == nil {
		err = f.complete()
	}
	version := f.recorded()
	if rules != nil {
		version = *rules
	}
	if err == nil && (j.params == nil || version != j.follow || !bytes.Equal(f.Params, j.raw)) {
		*j, err = newVerifier(f.Params, version)
	}
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(f.Cases))
	outcomes := make([]outcome, len(names))
	err = executor.Pool{}.Run(len(names), func(i int) error {
		if ctx.Err() == nil {
			outcomes[i] = j.verify(names[i], f.Cases[names[i]])
		}
		return ctx.Err()
	})
	if err != nil {
		return ctx.Err()
	}
	all.report(out, name, outcomes)
	return nil
}

// verify gives the verdicts on one case and compares them with the expected
// ones.
func (j *verifier) verify(name string, c vectorCase) (o outcome) {
	options := j.validator
	options.Resources = c.Limits
	_, o.refused = validator.New(j.params, options).Validate(c.Anchor, c.Request)
	verdict, auditVerdict := c.expected(j.follow)
	o.compare(name, "validator", verdict, o.refused)
	o.audited = auditVerdict != ""
	if !o.audited {
		return o
	}
	inputs, err := knownInputs(c.Inputs)
	if err == nil {
		_, err = j.auditor.Check(audit.Request{Anchor: c.Anchor, Raw: c.Request, Metadata: c.Metadata,
			Inputs: inputs})
	}
	o.audit = err
	o.compare(name, "auditor", auditVerdict, err)
	return o
}

func (o *outcome) compare(name, role, expected string, err error) {
	if (expected == accept) == (err == nil) {
		return
	}
	if role == "validator" && expected == accept && errors.As(err, new(*wire.DecodeError)) {
		o.stricter = append(o.stricter, fmt.Sprintf("ENCODING %s: %s: %v", name, role, err))
		return
	}
	verdict := "accepted"
	if err != nil {
		verdict = "refused: " + err.Error()
	}
	o.differs = append(o.differs,
		fmt.Sprintf("DIFFERS %s: %s: expected %s, %s", name, role, expected, verdict))
}

// knownInputs parses keys of the form "[txid:index]".
func knownInputs(inputs map[string]token.Clear) (map[token.ID]token.Clear, error) {
	known := make(map[token.ID]token.Clear, len(inputs))
	for key, clear := range inputs {
		var id token.ID
		at := strings.LastIndexByte(key, ':')
		if at > 0 && strings.HasSuffix(key, "]") {
			id.TxID = key[1:at]
			id.Index, _ = strconv.ParseUint(key[at+1:len(key)-1], 10, 64)
		}
		if key != fmt.Sprintf("[%s:%d]", id.TxID, id.Index) { // one form for each number
			return nil, fmt.Errorf("input %q is not [txid:index]", key)
		}
		known[id] = clear
	}
	return known, nil
}

// report prints the outcomes of one file and adds them.
func (n *counts) report(out io.Writer, file string, outcomes []outcome) {
	n.requests += len(outcomes)
	refused, audits, auditsRefused := 0, 0, 0
	rules := map[string]int{} // refused requests by the violated rule
	for _, o := range outcomes {
		if o.refused != nil {
			refused++
			rules[reason(o.refused)]++
		}
		if o.audited {
			audits++
		}
		if o.audit != nil {
			auditsRefused++
		}
	}
	fmt.Fprintf(out, "%s: %d accepted, %d refused; audits: %d accepted, %d refused\n",
		file, len(outcomes)-refused, refused, audits-auditsRefused, auditsRefused)
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		fmt.Fprintf(out, "  %d refused by the rule %q\n", rules[rule], rule)
	}
	for _, o := range outcomes {
		for _, line := range slices.Concat(o.differs, o.stricter) {
			fmt.Fprintln(out, "  "+line)
		}
		n.differ, n.stricter = n.differ+len(o.differs), n.stricter+len(o.stricter)
	}
}

// reason returns the rule that refused a request.
func reason(err error) string {
	if refused := new(validator.RefusedError); errors.As(err, &refused) {
		return refused.Rule
	}
	return "none"
}
