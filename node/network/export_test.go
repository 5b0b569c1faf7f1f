package network

import (
	abci "github.com/cometbft/cometbft/abci/types"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// SetValidator replaces the validator.
func (a *App) SetValidator(v *validator.Validator) { a.validator = v }

// SetFront puts an application between the engine and App.
func (o *Options) SetFront(front func(*App) abci.Application) { o.front = front }

// LedgerFolder is for tests that lose it.
const LedgerFolder = ledgerFolder

// OpenDB opens a database of the engine.
var OpenDB = openDB
