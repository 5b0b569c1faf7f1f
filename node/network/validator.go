package network

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	dbm "github.com/cometbft/cometbft-db"
	abci "github.com/cometbft/cometbft/abci/types"
	cfg "github.com/cometbft/cometbft/config"
	"github.com/cometbft/cometbft/libs/log"
	engine "github.com/cometbft/cometbft/node"
	"github.com/cometbft/cometbft/privval"
	"github.com/cometbft/cometbft/proxy"

	"github.com/zkatbench/zkatbench/node/store"
)

// Options configure a validator.
type Options struct {
	Reserve   uint64 // see store.Options
	Unchecked bool
	Anybody   bool   // let clients of other machines send requests
	FS        vfs.FS // of the ledger; nil is the machine's
}

// A Validator is the engine and the application of a home.
type Validator struct {
	App     *App
	home    *Home
	front   abci.Application // App, or a test's
	node    *engine.Node
	log     *os.File
	begun   time.Time
	failed  chan error
	stopped chan struct{}
	stop    sync.Once
}

// Open reads a home and opens its ledger. All checks are made before anything is written: of the
// files, the addresses, and the peers that answer.
func Open(dir string, o Options) (*Validator, error) {
	h, err := Load(dir)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(h.checkAddresses(o.Anybody), h.checkPeers()); err != nil {
		return nil, err
	}
	h.params.Precompute()
	v := &Validator{home: h, failed: make(chan error, 1), stopped: make(chan struct{})}
	kept, err := store.Open(filepath.Join(dir, ledgerFolder),
		store.Options{Digest: h.digest(), Reserve: o.Reserve, Unchecked: o.Unchecked, FS: o.FS})
	if err != nil {
		return nil, err
	}
	v.App, err = NewApp(h.params, kept, h.agreed.Requests)
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	v.App.fatal = func(err error) error {
		v.fail(err)
		<-v.stopped // the engine would panic, some of it outside of any recovery
		return err
	}
	v.front = v.App
	return v, nil
}

// fail ends Run.
func (v *Validator) fail(err error) {
	select {
	case v.failed <- err:
	default: // the first failure is the reason
	}
}

// Start starts the engine, which replays the blocks that the ledger lacks.
func (v *Validator) Start() (err error) {
	c := v.home.config
	v.log, err = os.OpenFile(filepath.Join(c.RootDir, "data", "engine.log"),
		os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	logger := watchedLog{log.NewFilter(log.NewTMLogger(log.NewSyncWriter(v.log)), log.AllowError()), v.fail}
	v.node, err = engine.NewNode(c, privval.LoadFilePV(c.PrivValidatorKeyFile(), c.PrivValidatorStateFile()),
		v.home.key,
		proxy.NewConnSyncLocalClientCreator(v.front), engine.DefaultGenesisDocProviderFunc(c), openDB,
		engine.DefaultMetricsProvider(c.Instrumentation), logger)
	if err != nil {
		return err
	}
	v.begun = time.Now()
	return v.node.Start()
}

// Address is where the validator takes requests.
func (v *Validator) Address() string { return bare(v.home.config.RPC.ListenAddress) }

// patience is how long requests wait for a block before the validator says that the network has
// stopped.
const patience = 10 * time.Second

// Run waits until ctx ends or the validator fails. It says when the network stops, and when it
// goes on.
func (v *Validator) Run(ctx context.Context, says io.Writer) error {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	stopped, since := false, v.begun
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-v.failed:
			return err
		case <-every.C:
		}
		if applied := time.Unix(0, v.App.applied.Load()); applied.After(since) {
			since = applied
			if stopped {
				fmt.Fprintf(says, "the network goes on: block %d\n", v.App.height.Load())
			}
			stopped = false
		}
		waiting := v.node.Mempool().Size()
		if waiting == 0 && !stopped {
			since = time.Now()
		}
		if quiet := time.Since(since); waiting > 0 && !stopped && quiet > patience {
			stopped = true
			fmt.Fprintf(says,
				"the network has stopped: no block for %.0f s, %d requests wait, %d of %d other validators "+
					"are connected\n",
				quiet.Seconds(), waiting, v.node.Switch().Peers().Size(), len(v.home.genesis.Validators)-1)
		}
	}
}

// Stop stops the engine and closes the ledger.
func (v *Validator) Stop() (err error) {
	v.stop.Do(func() {
		close(v.stopped)
		if v.node != nil && v.node.IsRunning() {
			err = v.node.Stop()
			v.node.Wait()
		}
		err = errors.Join(err, v.App.drop(), v.App.ledger.Close())
		if v.log != nil {
			err = errors.Join(err, v.log.Close())
		}
	})
	return err
}

// watchedLog notices that the engine has given up. It says so in its log alone.
type watchedLog struct {
	log.Logger
	fail func(error)
}

func (l watchedLog) With(keyvals ...any) log.Logger {
	return watchedLog{l.Logger.With(keyvals...), l.fail}
}

func (l watchedLog) Error(message string, keyvals ...any) {
	l.Logger.Error(message, keyvals...)
	if message == "CONSENSUS FAILURE!!!" {
		reason := any(message)
		if len(keyvals) > 1 {
			reason = keyvals[1]
		}
		l.fail(fmt.Errorf("engine: %v", reason))
	}
}

// openDB opens a database of the engine.
func openDB(c *cfg.DBContext) (dbm.DB, error) {
	db, err := cfg.DefaultDBProvider(c)
	if err == nil && c.ID == "blockstore" {
		db = &blockDB{DB: db}
	}
	return db, err
}

// blockDB has no blocks after Close. The engine's routines for peers read it after its end, and
// would panic on an error.
type blockDB struct {
	dbm.DB
	closed atomic.Bool
}

func (d *blockDB) Close() error {
	d.closed.Store(true)
	return d.DB.Close()
}

func (d *blockDB) Get(key []byte) ([]byte, error) {
	value, err := d.DB.Get(key)
	if d.closed.Load() {
		return nil, nil
	}
	return value, err
}
