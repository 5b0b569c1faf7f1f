// Package token is a stub of the package of the same name of the node.
package token

// ID identifies a token on the ledger.
type ID struct {
	TxId  string
	Index uint64
}
