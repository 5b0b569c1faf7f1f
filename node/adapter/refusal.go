package adapter

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Texts that callers of a node look for in a refusal (addendum v015, section 6).
const (
	emptyText     = "empty token request"
	missingText   = "insufficient number of signatures"
	auditorText   = "failed to verify auditor's signature"
	signatureText = "failed signature verification"
)

// refusal returns the error with the node's text for its kind, if the node has one,
// before our reason.
func refusal(raw []byte, err error) error {
	refused := new(validator.RefusedError)
	if !errors.As(err, &refused) {
		return err
	}
	auditor := refused.Rule == "auditors" || refused.Rule == "signatures" && refused.Action < 0
	switch {
	case len(raw) == 0 || errors.Is(err, validator.ErrNoActions):
		return fmt.Errorf("%s: %w", emptyText, err)
	case errors.Is(err, validator.ErrNoAuditor):
		return fmt.Errorf("%s: %s: %w", auditorText, missingText, err)
	case errors.Is(err, validator.ErrMissing):
		return fmt.Errorf("%s: %w", missingText, err)
	case auditor:
		return fmt.Errorf("%s: %w", auditorText, err)
	case refused.Rule == "signatures":
		return fmt.Errorf("%s: %w", signatureText, err)
	}
	return err
}
