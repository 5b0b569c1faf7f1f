package suite

import (
	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount/count"
)

// counts returns the group operations of one operation, counted in a pass of
// its own on the same tables.
func counts(c bench.Case, prepare func(setting) (bench.Instance, error)) ([]bench.Metric, error) {
	s, err := newSetting(c)
	if err != nil {
		return nil, err
	}
	var recorder count.Recorder
	g, err := opcount.Wrap(s.params.Group(), recorder.Bucket(""), nil)
	if err != nil {
		return nil, err
	}
	s.params = s.params.On(g)
	in, err := prepare(s)
	if err != nil {
		return nil, err
	}
	recorder.Reset()
	if _, err := in.Work(); err != nil {
		return nil, err
	}
	var ms []bench.Metric
	for _, u := range recorder.Snapshot().Total().Units() {
		ms = append(ms, bench.Metric{Value: float64(u.Value), Unit: u.Name})
	}
	return ms, nil
}
