package service

import (
	"crypto/sha256"
	"errors"
	"sync"

	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Status returns the verdict on the request under an anchor, and whether it is known. An
// accepted request is known for ever, and it is on disk. Of the refused requests, the last
// rememberedRefusals since the start are known. A request that is not known has not been
// applied; it may be in the queue. It is safe to submit it again.
func (s *Service) Status(anchor string) (v Verdict, known bool, err error) {
	v.Err = checkAnchor(anchor)
	if v.Err != nil {
		return v, true, nil
	}
	r, applied, err := s.c.Store.Receipt(anchor)
	if applied || err != nil {
		return Verdict{Block: r.Block}, applied, err
	}
	v.Err = s.refusals.find(anchor)
	return v, v.Err != nil, nil
}

// refused returns the answer to a request that the validator refused: its first verdict if it
// was applied before. If it is applied after the validator looked for its anchor, its inputs are
// missing. A disk that cannot be read refuses nothing: the verdict is missing.
func (s *Service) refused(sub validator.Submission, reason error) (Verdict, error) {
	if errors.Is(reason, store.ErrRead) {
		return Verdict{}, reason
	}
	if errors.Is(reason, validator.ErrKnownAnchor) || errors.Is(reason, validator.ErrNotOnLedger) {
		r, applied, err := s.c.Store.Receipt(sub.Anchor)
		if err != nil {
			return Verdict{}, err
		}
		if applied && r.Digest == sha256.Sum256(sub.Raw) {
			return Verdict{Block: r.Block}, nil
		}
	}
	return Verdict{Err: reason}, nil
}

// rememberedRefusals bounds the memory of refusals.
const rememberedRefusals = 1 << 14

// refusals are the last refusals, by anchor. The zero value is empty.
type refusals struct {
	mu       sync.Mutex
	byAnchor map[string]error
	anchors  [rememberedRefusals]string // the next one is overwritten
	next     int
}

func (r *refusals) add(anchor string, reason error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byAnchor == nil {
		r.byAnchor = map[string]error{}
	}
	if _, again := r.byAnchor[anchor]; !again {
		delete(r.byAnchor, r.anchors[r.next])
		r.anchors[r.next] = anchor
		r.next = (r.next + 1) % len(r.anchors)
	}
	r.byAnchor[anchor] = reason
}

func (r *refusals) find(anchor string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byAnchor[anchor]
}
