package suite

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

// setting is the shared state of the environments of a case, and the seed of
// one.
type setting struct {
	network         *fixture.Network
	executor        executor.Executor
	inputs, outputs int
	batch           int // transfers, for verifyBatch
	seed            uint64
	random          io.Reader // random source of provers
	clear           bool      // tokens are in the clear
}

func (s setting) params() *params.Params { return s.network.Params }

// place is the place of v2 actions: the first in a request.
var place = proof.Place{Anchor: anchor}

// operation returns a bench.Op with environments made by prepare, on a group
// with the given tools.
func operation(name string, prepare func(setting) (bench.Instance, error)) bench.Op {
	on := func(c bench.Case, seed uint64, tools bench.Tools) (bench.Instance, error) {
		s, err := newSetting(c, seed, tools)
		if err != nil {
			return bench.Instance{}, err
		}
		return s.forProtocol(name, prepare)
	}
	return bench.Op{
		Name:      name,
		Without:   bench.Axes(batchSize, Owner, presentations),
		Yardstick: yardstick,
		Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
			return on(c, seed, bench.Tools{})
		},
		On:         on,
		Concurrent: func(c bench.Case) bool { return executorName.Of(c) != "serial" },
	}
}

// reading adds to op inputs that can be decoded from their encodings.
func reading(op bench.Op, read func(setting, [][]byte) (bench.Instance, error)) bench.Op {
	op.Read = func(c bench.Case, seed uint64, tools bench.Tools, inputs [][]byte) (bench.Instance, error) {
		s, err := newSetting(c, seed, tools)
		if err != nil {
			return bench.Instance{}, err
		}
		if s.clear {
			return s.readClear(op.Name, inputs)
		}
		return read(s, inputs)
	}
	return op
}

// errInputs reports a wrong number of inputs.
var errInputs = errors.New("not the number of inputs of this operation")

// newSetting returns the setting of a case. With tools, the group of the
// network is observed, but uses the tables shared by all settings of the
// network.
func newSetting(c bench.Case, seed uint64, tools bench.Tools) (s setting, err error) {
	s.network, err = networkOf(c)
	if err != nil {
		return s, err
	}
	s.executor, err = executor.ByName(executorName.Of(c))
	if err != nil {
		return s, err
	}
	s.clear = Protocol.Of(c) == inClear
	s.inputs, s.outputs = Inputs.Of(c), Outputs.Of(c)
	s.batch, s.seed = batchSize.Of(c), seed
	s.random = tools.Random
	if s.random == nil {
		s.random = rand.Reader
	}
	if tools.Steps == nil && tools.Counts == (count.Bucket{}) {
		return s, nil
	}
	s.network = s.network.On(func(g group.Group) group.Group {
		wrapped, wrapErr := observed(g, tools)
		err = errors.Join(err, wrapErr)
		return wrapped
	})
	return s, err
}

// observed wraps g with tools.
func observed(g group.Group, tools bench.Tools) (group.Group, error) {
	if tools.Steps != nil {
		g = opcount.Steps(g, tools.Steps.Steps())
	}
	if tools.Counts == (count.Bucket{}) {
		return g, nil
	}
	var model *opcount.Model
	if tools.Inside {
		model = &opcount.Textbook
	}
	return opcount.Wrap(g, tools.Counts, model)
}

// OwnerOf returns the kind of owners of a case, X.509 by default.
func OwnerOf(c bench.Case) identity.Type {
	for _, kind := range owners {
		if strings.TrimPrefix(Owner.Of(c), byHash) == kind.String() {
			return kind
		}
	}
	return identity.X509
}

// ProtocolsOf returns the protocols of the network of a case: only the measured
// one, or v1 if tokens are in the clear.
func ProtocolsOf(c bench.Case) params.Protocols {
	v2 := Protocol.Of(c) == "v2"
	return params.Protocols{V1: !v2, V2: v2, HashedOwners: strings.HasPrefix(Owner.Of(c), byHash)}
}

// CheckOwner returns an error, for users, if the protocol of a case does not allow owners of
// its kind.
func CheckOwner(c bench.Case) error {
	if p := ProtocolsOf(c); p.HashedOwners && !p.V2 {
		return fmt.Errorf("-%s: %s needs -%s=v2, not %s", Owner.Flag, Owner.Of(c), Protocol.Flag,
			Protocol.Of(c))
	}
	return nil
}

// keptNetworks bounds the number of cached networks: the tables of their
// parameters take tens of megabytes each.
const keptNetworks = 4

var kept struct {
	sync.Mutex
	networks map[string]*fixture.Network        // by their configurations
	building map[*fixture.Network]time.Duration // of their tables
}

// networkOf returns the network of a case with all tables built. Cases with the
// same parameters share it.
func networkOf(c bench.Case) (*fixture.Network, error) {
	config := fixture.Config{
		Bits: Bits.Of(c), Systems: []rangeproof.Kind{rangeproof.Kind(Proof.Of(c))}, Protocols: ProtocolsOf(c),
		Owners:     OwnerOf(c),
		TableBytes: tableMB.Of(c) << 20, SamePresentation: presentations.Of(c) == "same",
		Portable: backend.Of(c) != "native",
	}
	// The key is the whole configuration, so that no axis that shapes a network is missing.
	k := fmt.Sprintf("%s %s %#v", Curve.Of(c), backend.Of(c), config)
	kept.Lock()
	defer kept.Unlock()
	if n := kept.networks[k]; n != nil {
		return n, nil
	}
	if err := CheckOwner(c); err != nil {
		return nil, err
	}
	var err error
	config.Group, err = curves.Find(Curve.Of(c), backend.Of(c))
	if err != nil {
		return nil, err
	}
	n, err := fixture.NewNetwork(config)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	n.Params.Precompute()
	if kept.networks == nil || len(kept.networks) == keptNetworks {
		kept.networks, kept.building = map[string]*fixture.Network{}, map[*fixture.Network]time.Duration{}
	}
	kept.networks[k], kept.building[n] = n, time.Since(start)
	return n, nil
}
