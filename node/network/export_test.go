package network

import abci "github.com/cometbft/cometbft/abci/types"

// SetFront puts an application between the engine and App.
func (v *Validator) SetFront(front func(*App) abci.Application) { v.front = front(v.App) }

// LedgerFolder is for tests that lose it.
const LedgerFolder = ledgerFolder

// OpenDB opens a database of the engine.
var OpenDB = openDB
