package network

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	cfg "github.com/cometbft/cometbft/config"
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
	ErrGenesis = errors.New("chain_id is not the digest of the rest of the file")
	ErrPeer    = errors.New("peer has another genesis")
	ErrOpen    = errors.New("anybody could send requests: address is not of this machine alone")
)

// ledgerFolder is the store of a validator, in its home.
const ledgerFolder = "data/ledger"

// agreed is the application's part of a genesis: what all validators agree on.
type agreed struct {
	Parameters []byte `json:"parameters"`
	Requests   int    `json:"requests"` // most of a block
}

// Make makes the homes of a new network of validators on this machine, folders with the layout of
// CometBFT in a new folder. A block has at most as many requests.
func Make(dir string, p *params.Params, requests, validators int) (homes []*cfg.Config, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	state, err := json.Marshal(agreed{p.Encode(), requests})
	if err != nil {
		return nil, err
	}
	genesis := types.GenesisDoc{GenesisTime: time.Now().UTC().Round(0), AppState: state, InitialHeight: 1,
		ConsensusParams: types.DefaultConsensusParams()}
	var peers []string
	for i := range validators {
		c := cfg.DefaultConfig().SetRoot(filepath.Join(dir, fmt.Sprint("validator", i)))
		c.Moniker = filepath.Base(c.RootDir)
		cfg.EnsureRoot(c.RootDir)
		for _, address := range []*string{&c.P2P.ListenAddress, &c.RPC.ListenAddress,
			&c.RPC.PprofListenAddress} {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return nil, err
			}
			defer l.Close() // all have different ports
			*address = l.Addr().String()
		}
		signer := privval.GenFilePV(c.PrivValidatorKeyFile(), c.PrivValidatorStateFile())
		signer.Save()
		genesis.Validators = append(genesis.Validators, types.GenesisValidator{
			Address: signer.Key.Address, PubKey: signer.Key.PubKey, Power: 1, Name: c.Moniker,
		})
		key, err := p2p.LoadOrGenNodeKey(c.NodeKeyFile())
		if err != nil {
			return nil, err
		}
		peers, homes = append(peers, p2p.IDAddressString(key.ID(), c.P2P.ListenAddress)), append(homes, c)
	}
	genesis.ChainID, err = chainID(genesis)
	if err != nil {
		return nil, err
	}
	for _, c := range homes {
		configure(c)
		c.P2P.PersistentPeers = strings.Join(peers, ",") // the engine does not dial itself
		cfg.WriteConfigFile(filepath.Join(c.RootDir, "config", "config.toml"), c)
		if err := genesis.SaveAs(c.GenesisFile()); err != nil {
			return nil, err
		}
	}
	return homes, nil
}

// chainID is a digest of all other fields. Engines with other chains do not talk to each other.
func chainID(g types.GenesisDoc) (string, error) {
	g.ChainID = ""
	raw, err := cmtjson.Marshal(g)
	if err != nil {
		return "", err
	}
	var compact bytes.Buffer // the state has the spaces of its file
	err = json.Compact(&compact, raw)
	sum := sha256.Sum256(compact.Bytes())
	return fmt.Sprintf("zkat-%x", sum[:16]), err
}

// blockInterval is the pause between a block and the next one, in which requests collect.
const blockInterval = 100 * time.Millisecond

// configure changes settings of the engine. Blocks without requests are made only when the ledger has
// changed.
func configure(c *cfg.Config) {
	c.P2P.ListenAddress, c.RPC.ListenAddress = "tcp://"+c.P2P.ListenAddress, "tcp://"+c.RPC.ListenAddress
	c.P2P.AllowDuplicateIP, c.P2P.AddrBookStrict, c.P2P.PexReactor = true, false, false
	c.RPC.MaxOpenConnections, c.RPC.MaxSubscriptionClients = mostClients, mostClients
	c.RPC.TimeoutBroadcastTxCommit = time.Minute
	c.Consensus.CreateEmptyBlocks = false
	c.Consensus.TimeoutCommit = blockInterval
	c.TxIndex.Indexer, c.Storage.DiscardABCIResponses = "null", true // Query finds requests
}

// home has the content of a validator's files.
type home struct {
	config  *cfg.Config
	genesis *types.GenesisDoc
	agreed  agreed
	params  *params.Params
	key     *p2p.NodeKey
}

// load reads a home and makes all checks, and writes nothing: one list, because the engine would end the
// process at a bad file.
func (h *home) load(dir string, anybody bool) (err error) {
	v := viper.New()
	v.SetConfigFile(filepath.Join(dir, "config", "config.toml"))
	if err := v.ReadInConfig(); err != nil {
		return err
	}
	h.config = cfg.DefaultConfig()
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
	if err := json.Unmarshal(h.genesis.AppState, &h.agreed); err != nil {
		return fmt.Errorf("genesis.json: app_state: %w", err)
	}
	if h.agreed.Requests < 1 {
		return fmt.Errorf("genesis.json: app_state: requests of a block are %d: at least 1",
			h.agreed.Requests)
	}
	h.params, err = params.Decode(h.agreed.Parameters, params.Options{})
	if err != nil {
		return fmt.Errorf("genesis.json: app_state: parameters: %w", err)
	}
	if id, err := chainID(*h.genesis); err != nil || id != h.genesis.ChainID {
		return fmt.Errorf("genesis.json: %w", errors.Join(ErrGenesis, err))
	}
	h.key, err = p2p.LoadNodeKey(h.config.NodeKeyFile())
	if err != nil {
		return err
	}
	return cmp.Or(
		readJSON(h.config.PrivValidatorKeyFile(), new(privval.FilePVKey)),
		readJSON(h.config.PrivValidatorStateFile(), new(privval.FilePVLastSignState)),
		h.checkAddresses(anybody), h.checkPeers(),
	)
}

func readJSON(file string, to any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	err = cmtjson.Unmarshal(raw, to)
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return err
}

// digest binds a ledger to its network.
func (h *home) digest() [32]byte { return sha256.Sum256([]byte(h.genesis.ChainID)) }

// checkAddresses refuses addresses in use. Unless anybody is set, it refuses to take requests from
// other machines. The engine authenticates validators, and not clients.
func (h *home) checkAddresses(anybody bool) error {
	c := h.config
	all := []string{c.P2P.ListenAddress, c.RPC.ListenAddress, c.RPC.GRPCListenAddress,
		c.RPC.PprofListenAddress}
	if c.Instrumentation.Prometheus {
		all = append(all, c.Instrumentation.PrometheusListenAddr)
	}
	for i, address := range all {
		address = strings.TrimPrefix(address, "tcp://")
		if address == "" {
			continue
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			return err
		}
		own := l.Addr().(*net.TCPAddr).IP.IsLoopback()
		l.Close()
		if i > 0 && !own && !anybody {
			return fmt.Errorf("%s: %w", address, ErrOpen)
		}
	}
	return nil
}

// checkPeers refuses a peer with another genesis. A peer that does not answer is not started yet.
func (h *home) checkPeers() error {
	peers, errs := p2p.NewNetAddressStrings(strings.FieldsFunc(h.config.P2P.PersistentPeers,
		func(r rune) bool { return r == ',' || r == ' ' }))
	if len(errs) > 0 {
		return fmt.Errorf("persistent_peers: %w", errs[0])
	}
	for _, peer := range peers {
		chain, err := h.chainOf(peer.DialString())
		if err == nil && chain != h.genesis.ChainID {
			return fmt.Errorf("%s: %w", peer.DialString(), ErrPeer)
		}
	}
	return nil
}

// chainOf shakes hands with a peer, and returns its chain.
func (h *home) chainOf(peer string) (string, error) {
	const patience = 3 * time.Second
	c, err := net.DialTimeout("tcp", peer, patience)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
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
