package suite

import (
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// maxTokens bounds the inputs and outputs of an action.
const maxTokens = 64

// The axes of the matrix. The defaults are 54 cases, and one under the runner.
var (
	Bits = &bench.Axis[int]{
		Name: "bits", Flag: "bits", Default: "32,64", Brief: "32", Values: flags.OneOf(16, 32, 64),
	}
	Curve = &bench.Axis[string]{
		Name: "curve", Flag: "curves", Brief: "BN254", Values: flags.Names(curves.Names...),
		Default: "BN254,BLS12_381_BBS_GURVY,BLS12_381_BBS_GURVY_FAST_RNG",
	}
	Inputs = &bench.Axis[int]{
		Name: "inputs", Flag: "num_inputs", Default: "1,2,3", Brief: "2", Values: flags.Numbers(1, maxTokens),
	}
	Outputs = &bench.Axis[int]{
		Name: "outputs", Flag: "num_outputs", Default: "1,2,3", Brief: "2",
		Values: flags.Numbers(1, maxTokens),
	}
	Proof = &bench.Axis[string]{
		Name: "proof", Flag: "proof_type", Default: "bulletproof", Show: bench.IfChosen,
		Values: proofSystems(),
	}
	Protocol = &bench.Axis[string]{
		Name: "protocol", Flag: "protocol", Default: "v1", Show: bench.IfChosen,
		Values: flags.Names("v1", "v2", inClear),
		Usage:  inClearUsage,
	}
	Owner = &bench.Axis[string]{
		Name: "owner", Flag: "owner", Default: identity.X509.String(), Show: bench.IfChosen,
		Values: flags.Names(ownerNames()...),
	}
	presentations = &bench.Axis[string]{
		Name: "presentations", Flag: "presentations", Default: "fresh", Show: bench.IfChosen,
		Values: flags.Names("fresh", "same"),
	}
	executorName = &bench.Axis[string]{
		Name: "executor", Flag: "executor", Default: "serial", Values: flags.Names(executor.Names...),
		Show: bench.IfChosen,
	}
	backend = &bench.Axis[string]{
		Name: "backend", Flag: "backend", Default: "native", Values: flags.Names(curves.Backends...),
		Show: bench.IfChosen,
	}
	tableMB = &bench.Axis[int]{
		Name: "table_mb", Flag: "table-mb", Default: "0", Values: flags.Numbers(0, 4096),
		Show: bench.IfChosen,
	}
	batchSize = &bench.Axis[int]{
		Name: "batch", Flag: "batch", Default: "64", Values: flags.Numbers(1, 1024), Show: bench.IfChosen,
		Usage: ": transfers by VerifyBatch, or requests by ValidatorBatch",
	}
)

// inClearUsage completes the usage of -protocol where it has the baseline.
const inClearUsage = ": clear is a baseline without privacy, not for networks"

// ForNetworks restricts the flag of Protocol in set to protocols of networks.
func ForNetworks(set *flags.Set) {
	f, networks := set.Lookup(Protocol.Flag), flags.Names("v1", "v2")
	read := f.Read
	f.Usage, f.Allowed = strings.TrimSuffix(f.Usage, inClearUsage), networks.Allowed
	f.Read = func(typed string) (bad string, ok bool) {
		if _, bad, ok := networks.List(typed); !ok {
			return bad, false
		}
		return read(typed)
	}
}

// owners are the kinds of owners of whole requests, by hash if their name begins with
// byHash.
var owners = [...]identity.Type{identity.X509, identity.Idemix, identity.IdemixNym}

const byHash = "hashed-"

func ownerNames() (names []string) {
	for _, prefix := range []string{"", byHash} {
		for _, kind := range owners {
			names = append(names, prefix+kind.String())
		}
	}
	return names
}

// proofSystems are the names of the range-proof systems, and the reference's
// spellings of them: the numbers of their fields on the wire, and bf.
func proofSystems() flags.Values[string] {
	v := flags.Names(systems.Names()...)
	plain := v.Parse
	v.Parse = func(item string) ([]string, bool) {
		if item == "bf" {
			item = string(rangeproof.Bulletproof)
		}
		for _, f := range systems.All {
			if item == strconv.Itoa(int(f.Variant)) {
				item = string(f.Kind)
			}
		}
		return plain(item)
	}
	return v
}
