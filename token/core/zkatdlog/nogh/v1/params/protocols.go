package params

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// ErrProtocol reports actions of a protocol that a network does not accept.
var ErrProtocol = errors.New("public parameters do not accept the protocol")

// Protocols lists the protocols that a network accepts.
type Protocols struct {
	V1, V2 bool
	// SoundV1 means that the network has never accepted v1 Bulletproofs and
	// never will, so that the values of v1 tokens are in range back to their
	// issue. Only then may v2 actions spend v1 tokens (v2 specification,
	// section 15).
	SoundV1 bool
	// HashedOwners means that tokens of v2 may have owners by hash (package hashed).
	HashedOwners bool
}

// protocolsKey is the metadata key of the protocols. Without it a network
// accepts only v1.
const protocolsKey = "zkatbench.protocols"

// protocolTexts are the values of protocolsKey.
var protocolTexts = map[Protocols]string{
	{V1: true, SoundV1: true}:           "v1 sound",
	{V2: true}:                          "v2",
	{V1: true, V2: true}:                "v1,v2",
	{V1: true, V2: true, SoundV1: true}: "v1 sound,v2",
	{V2: true, SoundV1: true}:           "v1 tokens,v2",

	{V2: true, HashedOwners: true}:                          "v2,hashed owners",
	{V1: true, V2: true, HashedOwners: true}:                "v1,v2,hashed owners",
	{V1: true, V2: true, SoundV1: true, HashedOwners: true}: "v1 sound,v2,hashed owners",
	{V2: true, SoundV1: true, HashedOwners: true}:           "v1 tokens,v2,hashed owners",
}

// put writes the protocols into the metadata; v1 alone needs no entry.
func (o Protocols) put(metadata map[string][]byte) (map[string][]byte, error) {
	if _, ok := metadata[protocolsKey]; ok {
		return nil, fmt.Errorf("%w: metadata have the reserved key %q", ErrInvalid, protocolsKey)
	}
	if o == (Protocols{V1: true}) {
		return metadata, nil
	}
	text, ok := protocolTexts[o]
	if !ok {
		return nil, fmt.Errorf("%w: no protocol is accepted, or owners by hash without v2", ErrInvalid)
	}
	with := map[string][]byte{protocolsKey: []byte(text)}
	maps.Copy(with, metadata)
	return with, nil
}

// readProtocols reads the protocols from the metadata.
func readProtocols(metadata map[string][]byte) (Protocols, error) {
	value, ok := metadata[protocolsKey]
	if !ok {
		return Protocols{V1: true}, nil
	}
	var known []string
	for o, text := range protocolTexts {
		if text == string(value) {
			return o, nil
		}
		known = append(known, fmt.Sprintf("%q", text))
	}
	slices.Sort(known)
	return Protocols{},
		fmt.Errorf("%w: %s is not one of %s", ErrInvalid, protocolsKey, strings.Join(known, ", "))
}

// Protocols returns the protocols that the network accepts.
func (p *Params) Protocols() Protocols { return p.protocols }

// OwnerDigest returns the digest in owners by hash: the digest of the parameters of v2.
// The error is ErrProtocol if the network does not allow such owners, and otherwise as for V2.
func (p *Params) OwnerDigest() (digest [32]byte, err error) {
	engine, err := p.V2()
	switch {
	case err != nil:
		return digest, err
	case !p.protocols.HashedOwners:
		return digest, fmt.Errorf("%w of owners by hash", ErrProtocol)
	}
	return engine.Digest(), nil
}

// lazyV2 builds the parameters of v2 on first use.
type lazyV2 struct {
	once   sync.Once
	params *v2.Params
	err    error
}

// V2 returns the parameters of v2 for the curve and bit length. The error is
// ErrProtocol if the network does not accept v2, and ErrInvalid if its
// commitment key is not derived from the documented strings.
func (p *Params) V2() (*v2.Params, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if !p.protocols.V2 {
		return nil, fmt.Errorf("%w v2", ErrProtocol)
	}
	e := p.engine
	e.v2.once.Do(func() {
		e.v2.params, e.v2.err = v2.New(e.group, p.bits, e.tableBytes)
		if e.v2.err == nil {
			e.v2.err = sameKey(e.group, e.pedersen, e.v2.params.TokenGenerators())
		}
	})
	if e.v2.err != nil {
		return nil, e.v2.err
	}
	if p.group == e.group {
		return e.v2.params, nil
	}
	return e.v2.params.On(p.group), nil
}

// sameKey refuses parameters with a commitment key other than the key of v2.
func sameKey(g group.Group, key *pedersen.Key, want [3]group.Point) error {
	for i, point := range want {
		if !g.Equal(key.Base(i), point) {
			return fmt.Errorf("%w: Pedersen generator %d is not that of v2", ErrInvalid, i)
		}
	}
	return nil
}
