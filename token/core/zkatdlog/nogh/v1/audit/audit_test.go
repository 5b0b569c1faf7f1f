package audit_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func load(t testing.TB, raw []byte) *params.Params {
	t.Helper()
	p, err := params.Decode(raw, params.Options{Group: curves.ByID, TableBytes: 1 << 20, AllowForeignGenerators: true})
	require.NoError(t, err)
	return p
}

func matchers(t testing.TB, p *params.Params) audit.Matchers {
	t.Helper()
	ms := audit.Matchers{identity.X509: x509.Match}
	var keys []idemix.Key
	for _, k := range p.IdemixKeys() {
		keys = append(keys, idemix.Key(k))
	}
	if ks, err := idemix.New(keys); err == nil {
		maps.Copy(ms, ks.Matchers())
	}
	return ms
}

// known reads the clear inputs by "[txid:index]".
func known(t testing.TB, inputs map[string]vectors.Clear) map[token.ID]token.Clear {
	t.Helper()
	out := map[token.ID]token.Clear{}
	for key, c := range inputs {
		tx, index, ok := strings.Cut(strings.Trim(key, "[]"), ":")
		require.True(t, ok)
		id := token.ID{TxID: tx}
		_, err := fmt.Sscan(index, &id.Index)
		require.NoError(t, err)
		out[id] = token.Clear(c)
	}
	return out
}

func TestRecorded(t *testing.T) {
	audited := 0
	for name, file := range vectors.RequestFiles(t) {
		p := load(t, file.Params)
		a := audit.New(p, audit.Options{Matchers: matchers(t, p)})
		for id, c := range file.Cases {
			if c.Audit == "" {
				continue
			}
			audited++
			_, err := a.Check(audit.Request{Anchor: c.Anchor, Raw: c.Request, Metadata: c.Metadata, Inputs: known(t, c.Inputs)})
			require.Equal(t, c.Audit == "accept", err == nil, "%s %s: %v", name, id, err)
		}
	}
	require.Positive(t, audited)
}

func TestNegative(t *testing.T) {
	set := vectors.Negative(t)
	// The reference does not compare its record of the inputs with the outputs.
	safer := []string{"audit-audit-token-type", "audit-audit-token-value"}
	for _, c := range set.Audits {
		p := load(t, set.Contexts[c.Context].Params)
		r := audit.Request{Anchor: c.Anchor, Raw: c.Request, Metadata: c.Metadata, Inputs: known(t, c.Inputs)}
		_, err := audit.New(p, audit.Options{UncheckedInputsAsReference: true}).Check(r)
		require.Equal(t, c.Verdict == "accept", err == nil, "%s: %v", c.ID, err)
		_, err = audit.New(p, audit.Options{}).Check(r)
		if contains := strings.Contains(strings.Join(safer, " "), c.ID); contains || c.Verdict != "accept" {
			refused := new(audit.RefusedError)
			require.ErrorAs(t, err, &refused, c.ID)
		} else {
			require.NoError(t, err, c.ID)
		}
	}
}
