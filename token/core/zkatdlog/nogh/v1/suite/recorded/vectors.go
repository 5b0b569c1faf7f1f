package recorded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// vectorFile is a file of requests with their expected verdicts, in the format
// of the recorded files.
type vectorFile struct {
	Config string `json:"config"`
	Bits   int    `json:"bits"`
	Curve  string `json:"curve"`
	ID     int    `json:"curve_id"`
	Proof  string `json:"proof_type"`
	Owner  string `json:"owner_identity_type"`
	Params []byte `json:"pp_raw"`

	// Revision of the reference that recorded the file, in files of v0.15.
	Revision string `json:"peer_revision,omitempty"`

	// Typed identities of the issuer and of the auditor.
	Issuer  []byte `json:"issuer_identity"`
	Auditor []byte `json:"auditor_identity"`

	Cases map[string]vectorCase `json:"cases"`
}

// vectorCase is one request. Verdicts are "accept", "reject" or "panic"; an
// empty verdict of the auditor means that it is not asked.
type vectorCase struct {
	Anchor   string                 `json:"txid"`
	Request  []byte                 `json:"req_raw"`
	Metadata []byte                 `json:"metadata,omitempty"`
	Inputs   map[string]token.Clear `json:"inputs,omitempty"` // by "[txid:index]"
	Verdict  string                 `json:"peer_verdict"`
	Audit    string                 `json:"peer_audit_verdict,omitempty"`
	// Verdicts of v0.14 in files of v0.15.
	Verdict14 string `json:"peer_verdict_v0.14.2,omitempty"`
	Audit14   string `json:"peer_audit_verdict_v0.14.2,omitempty"`
	// Limits are the configured resource limits.
	Limits v1request.Resources `json:"limits,omitzero"`
}

// expected returns the verdicts of a version. The strict rules refuse every request that
// a version refuses.
func (c vectorCase) expected(v v1request.Version) (verdict, audit string) {
	if c.Verdict14 != "" && (v == v1request.V0_14 || v == v1request.Strict && c.Verdict14 != accept) {
		return c.Verdict14, c.Audit14
	}
	return c.Verdict, c.Audit
}

// Verdicts of the reference.
const (
	accept = "accept"
	reject = "reject"
)

// recorded returns the version that recorded the file, Strict if it has owners by hash,
// which no version knows.
func (f vectorFile) recorded() v1request.Version {
	switch {
	case strings.HasPrefix(f.Owner, "hashed-"):
		return v1request.Strict
	case f.Revision != "":
		return v1request.V0_15
	}
	return v1request.V0_14
}

// complete checks that the file states all expected verdicts, so that no
// request passes unchecked.
func (f vectorFile) complete() error {
	if len(f.Cases) == 0 {
		return errors.New("the file contains no cases")
	}
	for _, name := range slices.Sorted(maps.Keys(f.Cases)) {
		c := f.Cases[name]
		switch {
		case !isVerdict(c.Verdict):
			return fmt.Errorf("%s: peer_verdict %q is not accept, reject or panic", name, c.Verdict)
		case c.Audit != "" && !isVerdict(c.Audit):
			return fmt.Errorf("%s: peer_audit_verdict %q is not accept, reject or panic", name, c.Audit)
		case c.Audit == accept && len(c.Metadata) == 0:
			return fmt.Errorf("%s: peer_audit_verdict is accept, but there is no metadata", name)
		}
	}
	return nil
}

func isVerdict(s string) bool { return s == accept || s == reject || s == "panic" }

// Register declares the flags that select the files to write.
func Register(set *flags.Set) *bench.Selection {
	selection := bench.Register(set, suite.Bits, suite.Curve, suite.Proof, suite.Protocol, suite.Owner,
		suite.Inputs, suite.Outputs)
	suite.ForNetworks(set)
	return selection
}

// nameOf is the name of the file of a case, without .json.
func nameOf(c bench.Case) string {
	system := suite.Proof.Of(c)
	if suite.ProtocolsOf(c).V2 {
		system = suite.Protocol.Of(c)
	}
	return fmt.Sprintf("%d-%s-%s-%s", suite.Bits.Of(c), suite.Curve.Of(c), system, suite.Owner.Of(c))
}

// Files returns the files of a selection that are in a folder already.
func Files(selection *bench.Selection, folder string) (names []string) {
	for _, c := range selection.Cases(bench.Serial) {
		name := filepath.Join(folder, nameOf(c)+".json")
		if _, err := os.Stat(name); err == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Write writes a file with n requests for each setting of the selection.
func Write(ctx context.Context, sel *bench.Selection, folder string, n int, out io.Writer) error {
	files := map[string][]bench.Case{}
	var names []string
	for _, c := range sel.Cases(bench.Serial) {
		if err := suite.CheckOwner(c); err != nil {
			return err
		}
		name := nameOf(c)
		if files[name] == nil {
			names = append(names, name)
		}
		files[name] = append(files[name], c)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		path := filepath.Join(folder, name+".json")
		if err := writeVectors(path, name, n, files[name]); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Fprintf(out, "%s: %d requests\n", path, n)
	}
	return nil
}

// writeVectors writes one file; shapes are cases that differ only in inputs and
// outputs.
func writeVectors(path, name string, n int, shapes []bench.Case) error {
	c := shapes[0]
	g, err := curves.ByName(suite.Curve.Of(c))
	if err != nil {
		return err
	}
	network, err := fixture.NewNetwork(fixture.Config{
		Group: g, Bits: suite.Bits.Of(c), Systems: []rangeproof.Kind{rangeproof.Kind(suite.Proof.Of(c))},
		Owners: suite.OwnerOf(c), Protocols: suite.ProtocolsOf(c),
	})
	if err != nil {
		return err
	}
	f := vectorFile{
		Config: name, Bits: suite.Bits.Of(c), Curve: suite.Curve.Of(c), ID: g.ID(), Proof: suite.Proof.Of(c),
		Owner:  suite.Owner.Of(c),
		Params: network.Params.Encode(), Issuer: network.Issuer.Identity(),
		Auditor: network.Auditor.Identity(), Cases: map[string]vectorCase{},
	}
	for k := range n {
		if err := f.add(network, k, shapes[k/len(fixture.Kinds)%len(shapes)]); err != nil {
			return err
		}
	}
	b, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return outfile.WriteBytes(path, append(b, '\n'))
}

// add makes the k-th request.
func (f *vectorFile) add(n *fixture.Network, k int, shape bench.Case) error {
	s := fixture.Shape{
		Kind: fixture.Kinds[k%len(fixture.Kinds)], Inputs: suite.Inputs.Of(shape),
		Outputs: suite.Outputs.Of(shape),
	}
	anchor := "tx-" + strconv.Itoa(k)
	a, err := n.Request(anchor, s, uint64(k)+1)
	if err != nil {
		return err
	}
	c := vectorCase{
		Anchor: a.Anchor, Request: a.Request.Encode(), Metadata: a.Metadata.Encode(),
		Inputs: map[string]token.Clear{}, Verdict: accept, Audit: accept,
	}
	for id, clear := range a.Inputs {
		c.Inputs[fmt.Sprintf("[%s:%d]", id.TxID, id.Index)] = clear
	}
	f.Cases[fmt.Sprintf("%s_i%d_o%d_%d", s.Kind, s.Inputs, s.Outputs, k)] = c
	return nil
}
