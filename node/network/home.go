package network

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	cfg "github.com/cometbft/cometbft/config"
	"github.com/cometbft/cometbft/crypto/ed25519"
	cmtjson "github.com/cometbft/cometbft/libs/json"
	"github.com/cometbft/cometbft/libs/protoio"
	"github.com/cometbft/cometbft/p2p"
	"github.com/cometbft/cometbft/p2p/conn"
	"github.com/cometbft/cometbft/privval"
	p2pproto "github.com/cometbft/cometbft/proto/tendermint/p2p"
	"github.com/cometbft/cometbft/types"
	"github.com/spf13/viper"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
)

// Reasons to refuse a home.
var (
	ErrGenesis    = errors.New("chain_id is not the digest of the rest of the file")
	ErrPeer       = errors.New("peer has another genesis")
	ErrParameters = errors.New("parameters are not those of the genesis")
	ErrOpen       = errors.New("anybody could send requests: address is not of this machine alone")
)

// parametersFile has the public parameters of the network, in a home.
const parametersFile = "config/parameters"

// ledgerFolder is the store of a validator, in its home.
const ledgerFolder = "data/ledger"

// agreed is the application's part of a genesis: what all validators agree on.
type agreed struct {
	Parameters string `json:"parameters"` // their digest in hex
	Requests   int    `json:"requests"`   // most of a block
}

// A Home is the folder of a validator, with the layout of CometBFT: config/config.toml,
// config/genesis.json, keys, and the parameters.
type Home struct {
	config  *cfg.Config
	genesis *types.GenesisDoc
	agreed  agreed
	params  *params.Params
	key     *p2p.NodeKey
}

// Addresses are where a validator listens: for other validators, for clients, for readers of its
// metrics, and of its profiles. The last two may be empty.
type Addresses struct{ Peers, Clients, Metrics, Profiles string }

// Local returns addresses of n validators on this machine with free ports.
func Local(n int) ([]Addresses, error) {
	all := make([]Addresses, n)
	for i := range all {
		for _, address := range []*string{&all[i].Peers, &all[i].Clients, &all[i].Metrics, &all[i].Profiles} {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return nil, err
			}
			defer l.Close()
			*address = l.Addr().String()
		}
	}
	return all, nil
}

// Make makes the homes of a new network in a new folder, one for each of the addresses. A block has
// at most as many requests.
func Make(dir string, p *params.Params, requests int, addresses []Addresses) (homes []string, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	state, err := json.Marshal(agreed{hex.EncodeToString(digestOf(p)), requests})
	if err != nil {
		return nil, err
	}
	genesis := types.GenesisDoc{GenesisTime: time.Now().UTC().Round(0), AppState: state, InitialHeight: 1,
		ConsensusParams: types.DefaultConsensusParams()}
	var peers []string
	for i, a := range addresses {
		home := filepath.Join(dir, fmt.Sprint("validator", i))
		c := cfg.DefaultConfig().SetRoot(home)
		for _, folder := range []string{"config", "data"} {
			if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
				return nil, err
			}
		}
		signer := privval.GenFilePV(c.PrivValidatorKeyFile(), c.PrivValidatorStateFile())
		signer.Save()
		genesis.Validators = append(genesis.Validators, types.GenesisValidator{
			Address: signer.Key.Address, PubKey: signer.Key.PubKey, Power: 1,
			Name: fmt.Sprint("validator", i),
		})
		key := p2p.NodeKey{PrivKey: ed25519.GenPrivKey()}
		if err := key.SaveAs(c.NodeKeyFile()); err != nil {
			return nil, err
		}
		peers, homes = append(peers, p2p.IDAddressString(key.ID(), a.Peers)), append(homes, home)
	}
	genesis.ChainID, err = chainID(genesis)
	if err != nil {
		return nil, err
	}
	for i, home := range homes {
		c := configure(home, addresses[i])
		c.P2P.PersistentPeers = strings.Join(append(append([]string{}, peers[:i]...), peers[i+1:]...), ",")
		cfg.WriteConfigFile(filepath.Join(home, "config", "config.toml"), c)
		err := errors.Join(genesis.SaveAs(c.GenesisFile()),
			os.WriteFile(filepath.Join(home, parametersFile), p.Encode(), 0o600))
		if err != nil {
			return nil, err
		}
	}
	return homes, nil
}

func digestOf(p *params.Params) []byte {
	digest := p.Digest()
	return digest[:]
}

// chainID is a digest of all other fields. Engines with other chains do not talk to each other.
func chainID(g types.GenesisDoc) (string, error) {
	g.ChainID = ""
	var state bytes.Buffer // the file has spaces in it
	if err := json.Compact(&state, g.AppState); err != nil {
		return "", err
	}
	g.AppState = state.Bytes()
	raw, err := cmtjson.Marshal(g)
	sum := sha256.Sum256(raw)
	return "zkat-" + hex.EncodeToString(sum[:16]), err
}

// blockInterval is the pause between a block and the next one, in which requests collect.
const blockInterval = 100 * time.Millisecond

// configure returns the configuration of the engine. Blocks without requests are made only when
// the ledger has changed.
func configure(home string, a Addresses) *cfg.Config {
	c := cfg.DefaultConfig().SetRoot(home)
	c.Moniker = filepath.Base(home)
	c.P2P.ListenAddress, c.RPC.ListenAddress = "tcp://"+a.Peers, "tcp://"+a.Clients
	c.P2P.AllowDuplicateIP, c.P2P.AddrBookStrict, c.P2P.PexReactor = true, false, false
	c.Instrumentation.Prometheus, c.Instrumentation.PrometheusListenAddr = a.Metrics != "", a.Metrics
	c.RPC.PprofListenAddress = a.Profiles
	c.Consensus.CreateEmptyBlocks = false
	c.Consensus.TimeoutCommit = blockInterval
	c.TxIndex.Indexer, c.Storage.DiscardABCIResponses = "null", true // Query finds requests
	return c
}

// Load reads a home, and checks its files. It writes nothing.
func Load(dir string) (*Home, error) {
	h := &Home{config: cfg.DefaultConfig()}
	if err := h.load(dir); err != nil {
		return nil, fmt.Errorf("home %s: %w", dir, err)
	}
	return h, nil
}

// load reads and checks all files of a home: one list of checks, because the engine would end
// the process at a bad file.
func (h *Home) load(dir string) (err error) {
	v := viper.New()
	v.SetConfigFile(filepath.Join(dir, "config", "config.toml"))
	if err := v.ReadInConfig(); err != nil {
		return err
	}
	if err := v.Unmarshal(h.config); err != nil {
		return err
	}
	h.config.SetRoot(dir)
	if err := h.config.ValidateBasic(); err != nil {
		return fmt.Errorf("config.toml: %w", err)
	}
	h.genesis, err = types.GenesisDocFromFile(h.config.GenesisFile())
	if err != nil {
		return err
	}
	if id, err := chainID(*h.genesis); err != nil || id != h.genesis.ChainID {
		return fmt.Errorf("genesis.json: %w", errors.Join(ErrGenesis, err))
	}
	if err := json.Unmarshal(h.genesis.AppState, &h.agreed); err != nil {
		return fmt.Errorf("genesis.json: app_state: %w", err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, parametersFile))
	if err != nil {
		return err
	}
	h.params, err = params.Decode(raw, params.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", parametersFile, err)
	}
	if h.agreed.Parameters != hex.EncodeToString(digestOf(h.params)) || h.agreed.Requests <= 0 {
		return fmt.Errorf("%s: %w", parametersFile, ErrParameters)
	}
	h.key, err = p2p.LoadNodeKey(h.config.NodeKeyFile())
	if err != nil {
		return err
	}
	return errors.Join( // the engine would end the process
		readJSON(h.config.PrivValidatorKeyFile(), new(privval.FilePVKey)),
		readJSON(h.config.PrivValidatorStateFile(), new(privval.FilePVLastSignState)),
	)
}

func readJSON(file string, to any) error {
	raw, err := os.ReadFile(file)
	if err == nil {
		err = cmtjson.Unmarshal(raw, to)
		if err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
	}
	return err
}

// digest binds a ledger to its network.
func (h *Home) digest() [32]byte { return sha256.Sum256([]byte(h.genesis.ChainID)) }

// bare returns an address without its scheme.
func bare(address string) string { return strings.TrimPrefix(address, "tcp://") }

// checkAddresses refuses addresses in use. Unless anybody is set, it refuses to take requests from
// other machines. The engine authenticates validators, and not clients.
func (h *Home) checkAddresses(anybody bool) error {
	c := h.config
	open := []string{c.RPC.ListenAddress, c.RPC.PprofListenAddress}
	if c.Instrumentation.Prometheus {
		open = append(open, c.Instrumentation.PrometheusListenAddr)
	}
	for _, address := range append(open, c.P2P.ListenAddress) {
		if address == "" {
			continue
		}
		l, err := net.Listen("tcp", bare(address))
		if err != nil {
			return err
		}
		own := l.Addr().(*net.TCPAddr).IP.IsLoopback()
		l.Close()
		if !own && !anybody && address != c.P2P.ListenAddress {
			return fmt.Errorf("%s: %w", bare(address), ErrOpen)
		}
	}
	return nil
}

// peerPatience bounds the check of a peer.
const peerPatience = 3 * time.Second

// checkPeers refuses a peer with another genesis. A peer that does not answer is not started yet.
func (h *Home) checkPeers() error {
	for _, peer := range strings.Split(h.config.P2P.PersistentPeers, ",") {
		if peer == "" {
			continue
		}
		address, err := p2p.NewNetAddressString(peer)
		if err != nil {
			return fmt.Errorf("persistent_peers: %w", err)
		}
		chain, err := h.chainOf(address)
		if err == nil && chain != h.genesis.ChainID {
			return fmt.Errorf("%s: %w", address.DialString(), ErrPeer)
		}
	}
	return nil
}

// chainOf shakes hands with a peer, and returns its chain.
func (h *Home) chainOf(peer *p2p.NetAddress) (string, error) {
	c, err := net.DialTimeout("tcp", peer.DialString(), peerPatience)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(peerPatience)); err != nil {
		return "", err
	}
	secret, err := conn.MakeSecretConnection(c, h.key.PrivKey)
	if err != nil {
		return "", err
	}
	var info p2pproto.DefaultNodeInfo
	_, err = protoio.NewDelimitedReader(secret, p2p.MaxNodeInfoSize()).ReadMsg(&info)
	return info.Network, err
}
