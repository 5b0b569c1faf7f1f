package service // refusals and enter are private: no client refuses so often, or meets the race of a stop

import (
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
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

// counterFunc is a counter that calls a function.
type counterFunc struct {
	prometheus.Counter
	count func()
}

func (c counterFunc) Inc() { c.count() }

// TestStopWaitsForRequestsThatEnter: the queue is not closed between the look whether the service
// stops and the place in the queue.
func TestStopWaitsForRequestsThatEnter(t *testing.T) {
	s := new(Service) // its queue is always full
	held := false
	s.m = &metrics{busy: counterFunc{count: func() { held = !s.stopping.TryLock() }}}
	require.ErrorIs(t, s.enter(t.Context(), "a", nil, nil), ErrBusy)
	require.True(t, held)
}
