package suite

import (
	"fmt"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

// Operations are all of the suite.
var Operations = []bench.Op{
	Sender, VerificationSenderProof, TransferProofGeneration,
	Issuer, ProofVerificationIssuer,
}

// preparations make the environments of each operation, by its name.
var preparations = map[string]func(setting) (bench.Instance, error){}

// Counting returns an environment of the named operation, on the tables of all
// others of the case, whose group operations are counted in bucket by phase,
// those of its set-up too. With a model those inside multiplications are counted
// as well.
func Counting(op string, c bench.Case, bucket count.Bucket, model *opcount.Model) (bench.Instance, error) {
	prepare, known := preparations[op]
	if !known {
		return bench.Instance{}, fmt.Errorf("%q is no operation of the suite", op)
	}
	s, err := newSetting(c)
	if err != nil {
		return bench.Instance{}, err
	}
	g, err := opcount.Wrap(s.params().Group(), bucket, model)
	if err != nil {
		return bench.Instance{}, err
	}
	counted := *s.network
	counted.Params = s.params().On(g)
	s.network = &counted
	return prepare(s)
}

// Count returns the group operations of the named operation by phase, counted
// in a pass of its own.
func Count(op string, c bench.Case, model *opcount.Model) (count.Phases, error) {
	var rec count.Recorder
	in, err := Counting(op, c, rec.Bucket(""), model)
	if err != nil {
		return nil, err
	}
	rec.Reset()
	_, err = in.Work()
	return rec.Snapshot(), err
}

// counts are the figures of -ops.
func counts(op string, c bench.Case) (ms []bench.Metric, err error) {
	phases, err := Count(op, c, nil)
	for _, u := range phases.Total().Units() {
		ms = append(ms, bench.Metric{Value: float64(u.Value), Unit: u.Name})
	}
	return ms, err
}
