package idemix_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestAuditInfoHasTheRecordedFields: audit information of type 1 has the fields
// of section 13.4 in their order, with the curve of the issuer's key, and is
// read only in this form.
func TestAuditInfoHasTheRecordedFields(t *testing.T) {
	for curve, label := range map[int]string{1: `"curve":1,`, 6: `"curve":7,`, 7: `"curve":7,`,
		8: `"curve":8,`} {
		ks, ws := wallets(t, curve)
		encoded, err := ws[0].AuditInfo()
		require.NoError(t, err)
		require.Equal(t, 6, strings.Count(string(encoded), label))
		require.Equal(t,
			[]string{"EidNymAuditData", "RhNymAuditData", "Attributes", "Schema"}, names(t, encoded))
		typed := networktest.Typed(t, ws[0].Identity())
		require.NoError(t, ks.Match(typed.Type, typed.Raw, encoded))
		for _, other := range []string{
			strings.Replace(string(encoded), `"Schema":""`, `"Schema":"","IdemixSignature":null`, 1),
			strings.Replace(string(encoded), `"Schema":""`, `"Schema":"","Schema":""`, 1),
			strings.Replace(string(encoded), `,"Schema":""`, ``, 1),
			strings.Replace(string(encoded), `"Schema"`, `"schema"`, 1),
			string(encoded) + "\n",
		} {
			require.ErrorIs(t, ks.Match(typed.Type, typed.Raw, []byte(other)), wire.ErrNotCanonical)
		}
	}
}

// names returns the names of the fields of a JSON object, in order.
func names(t *testing.T, object []byte) (names []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(object)))
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		names = append(names, name.(string))
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
	}
	return names
}
