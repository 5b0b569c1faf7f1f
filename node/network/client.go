package network

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/cometbft/cometbft/rpc/client/http"
	"github.com/cometbft/cometbft/types"

	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// A Client sends requests to one validator.
type Client struct {
	*http.HTTP
	mu      sync.Mutex
	waiting map[string]chan int64 // heights, by anchor
}

// Dial connects to a validator, and learns of its blocks until ctx ends.
func Dial(ctx context.Context, address string) (*Client, error) {
	c := &Client{waiting: map[string]chan int64{}}
	var err error
	c.HTTP, err = http.New("http://"+address, "/websocket")
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	blocks, err := c.Subscribe(ctx, "payments", "tm.event='NewBlockEvents'", 1024)
	if err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	go func() {
		for {
			select {
			case e := <-blocks:
				if b, ok := e.Data.(types.EventDataNewBlockEvents); ok {
					c.applied(b)
				}
			case <-ctx.Done():
				_ = c.Stop() // it has ended before, or it ends now
				return
			}
		}
	}()
	return c, nil
}

func (c *Client) applied(b types.EventDataNewBlockEvents) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range b.Events {
		if e.Type != eventApplied {
			continue
		}
		for _, a := range e.Attributes {
			if waiting := c.waiting[a.Value]; waiting != nil {
				waiting <- b.Height
				delete(c.waiting, a.Value)
			}
		}
	}
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
	heights := make(chan int64, 1)
	c.mu.Lock()
	c.waiting[s.Anchor] = heights
	c.mu.Unlock()
	r, err := c.BroadcastTxSync(ctx, tx)
	if err == nil && r.Code != 0 {
		err = &RefusedError{r.Log}
	}
	if err == nil {
		select {
		case h := <-heights:
			return h, nil
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, s.Anchor)
	return 0, err
}

// Receipt returns the height of the block that applied a request, and the digest of its bytes.
func (c *Client) Receipt(ctx context.Context, anchor string) (r store.Receipt, found bool, err error) {
	a, err := c.ABCIQuery(ctx, "", []byte(anchor))
	if err != nil || a.Response.Code != 0 {
		return r, false, err
	}
	if len(a.Response.Value) != 8+sha256.Size {
		return r, false, fmt.Errorf("receipt of %d bytes", len(a.Response.Value))
	}
	r.Block = binary.BigEndian.Uint64(a.Response.Value)
	copy(r.Digest[:], a.Response.Value[8:])
	return r, true, nil
}
