package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/zkatbench/zkatbench/bench"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// prepareValidatorBatch makes the number of requests of the case.
func prepareValidatorBatch(s setting) (bench.Instance, error) {
	v := s.validator()
	var batch []validator.Submission
	for i := range s.batch {
		of := s
		of.seed = s.seed*uint64(s.batch) + uint64(i)
		a, err := newRequest(of, "transfers")
		if err != nil {
			return bench.Instance{}, err
		}
		batch = append(batch, validator.Submission{Anchor: anchor, Raw: a.Request.Encode()})
	}
	validate := func(submissions []validator.Submission) error {
		for i, verdict := range v.ValidateBatch(submissions) {
			if verdict.Err != nil {
				return fmt.Errorf("request %d: %w", i, verdict.Err)
			}
		}
		return nil
	}
	return bench.Instance{
		Work: func() ([]byte, error) { return nil, validate(batch) },
		Check: func([]byte) error {
			n := len(batch) - 1
			wrong := validator.Submission{Anchor: anchor + "'", Raw: batch[n].Raw}
			return refused(validate(append(batch[:n:n], wrong)))
		},
		Exact: func([]byte) []bench.Metric { return requestSize(batch[0].Raw) },
		Inputs: func() (bs [][]byte) {
			for _, one := range batch {
				bs = append(bs, one.Raw)
			}
			return bs
		},
	}, nil
}

// endorsing returns the set-up of an auditor that opens and signs requests of a
// kind of package fixture.
func endorsing(kind string) func(setting) (bench.Instance, error) {
	return onRequest(kind, func(s setting, a *v1.Assembly) (bench.Instance, error) {
		r := a.AuditRequest()
		auditor, key := s.network.Audit(), s.network.Auditor
		return bench.Instance{
			Work: func() ([]byte, error) { signed, err := auditor.Endorse(r, key); return signed.Raw, err },
			Check: func([]byte) error {
				wrong := r
				wrong.Metadata = r.Metadata[:len(r.Metadata)-1]
				_, err := auditor.Endorse(wrong, key)
				return refused(err)
			},
			Exact: func([]byte) []bench.Metric {
				return append(requestSize(r.Raw),
					bench.Metric{Value: float64(len(r.Metadata)), Unit: "metadata-B"})
			},
			Inputs: func() [][]byte { return [][]byte{r.Raw, r.Metadata} },
		}, nil
	})
}

// history is a ledger; requests of one shape are applied to it one after the
// other. Each spends the oldest tokens and creates new ones.
type history struct {
	mu     sync.Mutex
	ledger ledger.Memory
	shape  validator.Accepted
	unused []validator.Spent // tokens on the ledger, oldest first
	next   int
}

// applying returns the set-up of a ledger for requests of a kind of package
// fixture.
func applying(kind string) func(setting) (bench.Instance, error) { return onRequest(kind, newHistory) }

func newHistory(s setting, a *v1.Assembly) (bench.Instance, error) {
	accepted, err := s.validator().Validate(anchor, a.Request.Encode())
	if err != nil {
		return bench.Instance{}, err
	}
	h := &history{shape: *accepted}
	return bench.Instance{
		Work: func() ([]byte, error) { return nil, h.apply() },
		Check: func([]byte) error {
			if err := h.ledger.Apply(&validator.Accepted{Anchor: txID(0)}); !errors.Is(err, ledger.ErrKnown) {
				return errAccepted
			}
			return nil
		},
		Exact:  func([]byte) []bench.Metric { return effects(accepted) },
		Inputs: func() [][]byte { return [][]byte{a.Request.Encode()} },
	}, nil
}

// txID is a transaction id of the usual length.
func txID(i int) string {
	h := sha256.Sum256(strconv.AppendInt(nil, int64(i), 10))
	return hex.EncodeToString(h[:])
}

// apply applies the next request of the shape: it computes the keys that a
// ledger reads and writes, and applies it to the ledger in memory.
func (h *history) apply() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := validator.Accepted{Anchor: txID(h.next)}
	h.next++
	for i, in := range h.shape.Spent {
		if len(h.unused) == 0 { // the shape spends more tokens than it creates
			in.ID = token.ID{TxID: next.Anchor + "'", Index: uint64(i)}
			h.ledger.Put(in.ID, in.Token)
			h.unused = append(h.unused, in)
		}
		in = h.unused[0]
		h.unused = h.unused[1:]
		ledger.MarkerKey(in.ID, in.Token)
		next.Spent = append(next.Spent, in)
	}
	for _, out := range h.shape.Created {
		out.ID.TxID = next.Anchor
		next.Created = append(next.Created, out)
		if out.Token != nil {
			ledger.OutputKey(out.ID)
			ledger.MarkerKey(out.ID, out.Token)
			if len(h.shape.Spent) > 0 {
				h.unused = append(h.unused, validator.Spent(out))
			}
		}
	}
	return h.ledger.Apply(&next)
}

// effects are the reads and writes of a request (specification, section 18): a
// request reads its transaction id and a marker for each input, and writes its
// hash, two entries for each new token, and the deletion of two entries for each
// input. written-B are keys and values of new tokens and of the hash, removed-B
// the keys of the spent tokens.
func effects(a *validator.Accepted) []bench.Metric {
	id := txID(0)
	written := len(id) + len("tr") + 3 + sha256.Size
	removed, writes := 0, 1
	entries := func(at token.ID, raw []byte) int {
		at.TxID = id
		return len(ledger.OutputKey(at)) + len(raw) + len(ledger.MarkerKey(at, raw)) + 1
	}
	for _, out := range a.Created {
		if out.Token != nil {
			written += entries(out.ID, out.Token)
			writes += 2
		}
	}
	for _, in := range a.Spent {
		removed += entries(in.ID, in.Token)
		writes += 2
	}
	return []bench.Metric{
		{Value: float64(1 + len(a.Spent)), Unit: "reads"}, {Value: float64(writes), Unit: "writes"},
		{Value: float64(written), Unit: "written-B"}, {Value: float64(removed), Unit: "removed-B"},
	}
}
