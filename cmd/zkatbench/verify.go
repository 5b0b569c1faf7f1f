package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// errDiffers reports a verdict other than the expected one.
var errDiffers = errors.New("zkatbench: verify: some verdicts differ from the files")

// verify verifies all requests in a folder of vector files on all processors.
func verify(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("verify", flag.ContinueOnError)
	strict := fs.Bool("strict", false, "apply the strict rules, as validators do by default; without it, the rules of the reference apply")
	l := commandLine{
		name: "verify", takes: "[flags] FOLDER", flags: fs,
		exec: func(ctx context.Context, args []string) error {
			if len(args) != 1 {
				return usageError("verify takes one folder of vector files")
			}
			paths, err := filepath.Glob(filepath.Join(args[0], "*.json"))
			if err != nil || len(paths) == 0 {
				return usageError("verify: %q is not a folder with files *.json", args[0])
			}
			return verifyFiles(ctx, paths, *strict, out)
		},
	}
	return l.run(ctx, args, streams{out: out})
}

func verifyFiles(ctx context.Context, paths []string, strict bool, out io.Writer) error {
	requests, differ := 0, 0
	for _, path := range paths {
		if ctx.Err() != nil {
			return errInterrupted
		}
		of, wrong, err := verifyFile(ctx, path, strict, out)
		if err != nil {
			return fmt.Errorf("zkatbench: %s: %w", path, err)
		}
		requests, differ = requests+of, differ+wrong
	}
	fmt.Fprintf(out, "files: %d, requests: %d, verdicts that differ: %d\n", len(paths), requests, differ)
	if differ > 0 {
		return errDiffers
	}
	return nil
}

// verifier gives verdicts on the requests of one file.
type verifier struct {
	validator *validator.Validator
	auditor   *audit.Auditor
}

func newVerifier(raw []byte, strict bool) (j verifier, err error) {
	p, err := params.Decode(raw, params.Options{Group: curves.ByID, AllowForeignGenerators: true})
	if err != nil {
		return j, err
	}
	p.Precompute()
	identities := identity.Registry{identity.X509: x509.NewVerifier}
	matchers := audit.Matchers{identity.X509: x509.Match}
	var keys []idemix.Key
	for _, k := range p.IdemixKeys() {
		keys = append(keys, idemix.Key(k))
	}
	limits := v1request.DefaultLimits
	if ks, err := idemix.New(keys); err == nil { // networks without Idemix may have no usable key
		ks.Register(identities)
		maps.Copy(matchers, ks.Matchers())
		limits.Verifications += limits.Tokens.Inputs * ks.Cost()
	}
	vo := validator.Options{Identities: identities, Limits: limits, AllowUnsoundV1Bulletproofs: true}
	ao := audit.Options{Matchers: matchers}
	if !strict {
		vo.AsReference, ao.UncheckedInputsAsReference = true, true
	}
	return verifier{validator: validator.New(p, vo), auditor: audit.New(p, ao)}, nil
}

// outcome is the result of one case.
type outcome struct {
	refused, audit error
	audited        bool
	differs        []string
}

// verifyFile verifies one file, prints the outcomes, and returns the number of
// requests and the number of unexpected verdicts.
func verifyFile(ctx context.Context, path string, strict bool, out io.Writer) (requests, differ int, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	var f vectorFile
	if err := json.Unmarshal(b, &f); err != nil {
		return 0, 0, err
	}
	if err := f.complete(); err != nil {
		return 0, 0, err
	}
	j, err := newVerifier(f.Params, strict)
	if err != nil {
		return 0, 0, err
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
		return 0, 0, errInterrupted
	}
	return len(names), report(out, filepath.Base(path), outcomes), nil
}

// verify gives the verdicts on one case and compares them with the expected
// ones.
func (j verifier) verify(name string, c vectorCase) (o outcome) {
	_, o.refused = j.validator.Validate(c.Anchor, c.Request)
	o.compare(name, "validator", c.Verdict, o.refused)
	if o.audited = c.Audit != ""; !o.audited {
		return o
	}
	inputs, err := knownInputs(c.Inputs)
	if err == nil {
		_, err = j.auditor.Check(audit.Request{Anchor: c.Anchor, Raw: c.Request, Metadata: c.Metadata, Inputs: inputs})
	}
	o.audit = err
	o.compare(name, "auditor", c.Audit, err)
	return o
}

func (o *outcome) compare(name, role, expected string, err error) {
	if (expected == accept) == (err == nil) {
		return
	}
	verdict := "accepted"
	if err != nil {
		verdict = "refused: " + err.Error()
	}
	o.differs = append(o.differs, fmt.Sprintf("%s: %s: expected %s, %s", name, role, expected, verdict))
}

// knownInputs parses keys of the form "[txid:index]".
func knownInputs(inputs map[string]token.Clear) (map[token.ID]token.Clear, error) {
	known := make(map[token.ID]token.Clear, len(inputs))
	for key, clear := range inputs {
		inner := strings.TrimSuffix(strings.TrimPrefix(key, "["), "]")
		at := strings.LastIndexByte(inner, ':')
		var id token.ID
		if at < 0 {
			return nil, fmt.Errorf("input %q is not [txid:index]", key)
		}
		id.TxID = inner[:at]
		if _, err := fmt.Sscan(inner[at+1:], &id.Index); err != nil {
			return nil, fmt.Errorf("input %q is not [txid:index]", key)
		}
		known[id] = clear
	}
	return known, nil
}

// report prints the outcomes of one file and returns the number of unexpected
// verdicts.
func report(out io.Writer, file string, outcomes []outcome) (differ int) {
	refused, audits, auditsRefused := 0, 0, 0
	why := reasons{}
	for _, o := range outcomes {
		if o.refused != nil {
			refused++
			why[reason(o.refused)]++
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
	printReasons(out, why)
	for _, o := range outcomes {
		for _, d := range o.differs {
			fmt.Fprintln(out, "  DIFFERS "+d)
			differ++
		}
	}
	return differ
}

// reasons counts refused requests by the violated rule.
type reasons map[string]int

func (rs reasons) add(others reasons) {
	for r, n := range others {
		rs[r] += n
	}
}

func printReasons(out io.Writer, rs reasons) {
	for _, r := range slices.Sorted(maps.Keys(rs)) {
		fmt.Fprintf(out, "  %d refused by the rule %q\n", rs[r], r)
	}
}

// reason returns the rule that refused a request.
func reason(err error) string {
	if refused := new(validator.RefusedError); errors.As(err, &refused) {
		return refused.Rule
	}
	return "none"
}
