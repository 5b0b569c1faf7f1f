package request_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// TestResourcesOfEveryPlace: one too large action, signature, key or value, at
// every place of its list. The error names the place.
func TestResourcesOfEveryPlace(t *testing.T) {
	const n = 6
	limits := request.Resources{MaxActionBytes: 10, MaxSignatureBytes: 20, MaxMetadataKeyBytes: 5,
		MaxMetadataValueBytes: 30}.WithDefaults()
	for wrong := range n {
		for more := range 2 {
			size := func(i, most int) []byte {
				if i == wrong {
					most += more
				}
				return make([]byte, most)
			}
			actions, signatures, keys, values := &request.Request{}, &request.Request{}, map[string][]byte{},
				map[string][]byte{}
			for i := range n {
				actions.Actions = append(actions.Actions,
					request.Action{Kind: request.Issue, Raw: size(i, 10)})
				signatures.Signatures = append(signatures.Signatures, request.Signature{Raw: size(i, 20)})
				keys[fmt.Sprint(i, string(size(i, 4)))] = nil
				values[fmt.Sprint("k", i)] = size(i, 30)
			}
			for reason, err := range map[string]error{
				fmt.Sprintf("action %d: ", wrong):    limits.CheckRequest(1, actions),
				fmt.Sprintf("signature %d: ", wrong): limits.CheckRequest(1, signatures),
				"maxMetadataKeyBytes":                limits.CheckAction(token.Sizes{Metadata: keys}),
				"maxMetadataValueBytes":              limits.CheckAction(token.Sizes{Metadata: values}),
			} {
				if more == 0 {
					require.NoError(t, err, reason)
					continue
				}
				require.ErrorIs(t, err, request.ErrResources, "%s %d", reason, wrong)
				require.ErrorContains(t, err, reason)
			}
		}
	}
}
