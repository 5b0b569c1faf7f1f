package network

import (
	"context"
	nethttp "net/http"

	"github.com/cometbft/cometbft/rpc/client/http"

	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// A Client sends requests to one validator. It is the engine's client, with the calls for payments.
type Client struct{ *http.HTTP }

// mostClients bounds the requests of clients that wait for a block.
const mostClients = 1 << 12

// Dial returns a client of the validator at an address. It connects when it is used.
func Dial(address string) (*Client, error) {
	// by default, all but two connections end with their request
	h, err := http.NewWithClient(address, "/websocket",
		&nethttp.Client{Transport: &nethttp.Transport{MaxIdleConnsPerHost: mostClients}})
	return &Client{h}, err
}

// A RefusedError is the answer of a validator that did not take a request.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// Submit sends a request and waits until the validator has applied it: then its block is final.
// It returns the height. If the error is not a *RefusedError, the request may be applied; Receipt
// tells.
func (c *Client) Submit(ctx context.Context, s validator.Submission) (int64, error) {
	tx, err := Transaction(s)
	if err != nil {
		return 0, err
	}
	r, err := c.BroadcastTxCommit(ctx, tx)
	if err != nil {
		return 0, err
	}
	if r.CheckTx.Code != 0 || r.TxResult.Code != 0 {
		return 0, &RefusedError{r.CheckTx.Log + r.TxResult.Log}
	}
	return r.Height, nil
}

// Receipt returns the height of the block that applied a request, and the digest of its bytes.
func (c *Client) Receipt(ctx context.Context, anchor string) (r store.Receipt, found bool, err error) {
	a, err := c.ABCIQuery(ctx, "", []byte(anchor))
	if err != nil || a.Response.Code != 0 {
		return r, false, err
	}
	r.Block = uint64(a.Response.Height)
	copy(r.Digest[:], a.Response.Value)
	return r, true, nil
}
