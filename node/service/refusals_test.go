package service

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefusalsAreBounded: the last refusals are remembered, and no others.
func TestRefusalsAreBounded(t *testing.T) {
	var r refusals
	for i := range rememberedRefusals + 2 {
		r.add(fmt.Sprint(i), ErrBusy)
	}
	require.Len(t, r.byAnchor, rememberedRefusals)
	require.NoError(t, r.find("1"))
	require.ErrorIs(t, r.find("2"), ErrBusy)
}
