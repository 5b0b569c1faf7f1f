package network

import (
	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/cometbft/cometbft/rpc/client/http"
	"github.com/cometbft/cometbft/types"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// SetValidator replaces the validator.
func (a *App) SetValidator(v *validator.Validator) { a.validator = v }

// NewClient returns a client that learns of blocks by Applied alone.
func NewClient(address string) (*Client, error) {
	h, err := http.New("http://"+address, "/websocket")
	return &Client{HTTP: h, waiting: map[string]chan int64{}}, err
}

// Applied is applied.
func (c *Client) Applied(b types.EventDataNewBlockEvents) { c.applied(b) }

// SetFront puts an application between the engine and App.
func (v *Validator) SetFront(front func(*App) abci.Application) { v.front = front(v.App) }

// LedgerFolder is for tests that lose it.
const LedgerFolder = ledgerFolder

// OpenDB opens a database of the engine.
var OpenDB = openDB
