package network

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	dbm "github.com/cometbft/cometbft-db"
	abci "github.com/cometbft/cometbft/abci/types"
	cfg "github.com/cometbft/cometbft/config"
	"github.com/cometbft/cometbft/libs/log"
	engine "github.com/cometbft/cometbft/node"
	"github.com/cometbft/cometbft/privval"
	"github.com/cometbft/cometbft/proxy"

	"github.com/zkatbench/zkatbench/node/store"
)

// Options configure a validator. Start sets the digest of the ledger.
type Options struct {
	store.Options
	Anybody bool // let clients of other machines send requests

	front func(*App) abci.Application // a test's application before App
}

// A Validator is the engine and the application of a home.
type Validator struct {
	App     *App
	home    home
	node    *engine.Node
	failed  context.Context // its cause is the first failure
	fail    context.CancelCauseFunc
	stopped chan struct{}
	stop    sync.Once
}

// Start reads a home, opens its ledger, and starts the engine, which replays the blocks that the ledger
// lacks. Files, addresses, and the peers that answer are checked before anything is written.
func Start(dir string, o Options) (*Validator, error) {
	v := &Validator{stopped: make(chan struct{})}
	if err := v.home.load(dir, o.Anybody); err != nil {
		return nil, fmt.Errorf("home %s: %w", dir, err)
	}
	v.home.params.Precompute()
	o.Digest = v.home.digest()
	kept, err := store.Open(filepath.Join(dir, ledgerFolder), o.Options)
	if err != nil {
		return nil, err
	}
	v.App, err = NewApp(v.home.params, kept, v.home.agreed.Requests)
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	v.failed, v.fail = context.WithCancelCause(context.Background())
	front := abci.Application(v.App)
	if o.front != nil {
		front = o.front(v.App)
	}
	c := v.home.config
	// The file stays open: some routines of the engine end after it.
	to, err := os.OpenFile(filepath.Join(dir, "data", "engine.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY,
		0o600)
	if err == nil {
		v.node, err = engine.NewNode(c,
			privval.LoadFilePV(c.PrivValidatorKeyFile(), c.PrivValidatorStateFile()), v.home.key,
			proxy.NewConnSyncLocalClientCreator(front), engine.DefaultGenesisDocProviderFunc(c), openDB,
			engine.DefaultMetricsProvider(c.Instrumentation),
			log.NewFilter(log.NewTMLogger(log.NewSyncWriter(watchedLog{to, v.fail})), log.AllowError()))
	}
	if err == nil {
		v.App.fatal = func(err error) error {
			v.fail(err)
			<-v.stopped // the engine would panic, some of it outside of any recovery
			return err
		}
		err = v.node.Start()
	}
	if err != nil {
		return nil, errors.Join(err, v.Stop())
	}
	return v, nil
}

// Address is where the validator takes requests.
func (v *Validator) Address() string { return v.home.config.RPC.ListenAddress }

// patience is how long requests wait for a block before the validator says that the network has
// stopped.
const patience = 10 * time.Second

// Run waits until ctx ends or the validator fails. It says when the network stops, and when it
// goes on.
func (v *Validator) Run(ctx context.Context, says io.Writer) error {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	height, since, stopped := int64(0), time.Now(), false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-v.failed.Done():
			return context.Cause(v.failed)
		case <-every.C:
		}
		last := height
		height, _ = v.App.State()
		waiting, quiet := v.node.Mempool().Size(), time.Since(since)
		switch {
		case height > last:
			if stopped {
				fmt.Fprintf(says, "the network goes on: block %d\n", height)
			}
			since, stopped = time.Now(), false
		case !stopped && waiting == 0:
			since = time.Now()
		case !stopped && quiet > patience:
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
		err = errors.Join(err, v.App.ledger.Close())
	})
	return err
}

// watchedLog is the log of an engine, which says there alone that it has given up.
type watchedLog struct {
	io.Writer
	fail func(error)
}

func (l watchedLog) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("CONSENSUS FAILURE!!!")) {
		_, reason, _ := bytes.Cut(line, []byte(" err="))
		reason, _, _ = bytes.Cut(reason, []byte(" stack="))
		l.fail(fmt.Errorf("engine: %s", bytes.Trim(reason, `"`)))
	}
	return l.Writer.Write(line)
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
