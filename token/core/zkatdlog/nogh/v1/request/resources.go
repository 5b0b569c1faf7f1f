package request

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// Resources are the resource limits of v0.15 of the reference, and the last two of commit
// 714a6b46, by the names of its configuration. All are inclusive. A zero or negative field means
// the field of DefaultResources.
type Resources struct {
	MaxRequestBytes       int `json:"maxRequestBytes,omitempty"`
	MaxActions            int `json:"maxActions,omitempty"`
	MaxSignatures         int `json:"maxSignatures,omitempty"`         // including auditors
	MaxActionBytes        int `json:"maxActionBytes,omitempty"`        // of each action
	MaxSignatureBytes     int `json:"maxSignatureBytes,omitempty"`     // of each signature in the list
	MaxInputs             int `json:"maxInputs,omitempty"`             // of each action
	MaxOutputs            int `json:"maxOutputs,omitempty"`            // of each action
	MaxMetadataEntries    int `json:"maxMetadataEntries,omitempty"`    // of each action
	MaxMetadataKeyBytes   int `json:"maxMetadataKeyBytes,omitempty"`   // of each key
	MaxMetadataValueBytes int `json:"maxMetadataValueBytes,omitempty"` // of each value
	MaxProofBytes         int `json:"maxProofBytes,omitempty"`         // of each action
	// identities of several parties, one in another
	MaxIdentityDepth      int `json:"maxIdentityDepth,omitempty"`
	MaxIdentityComponents int `json:"maxIdentityComponents,omitempty"` // parties of each of them
}

// DefaultResources are the defaults of the reference.
var DefaultResources = Resources{
	MaxRequestBytes: 1 << 18, MaxActions: 256, MaxSignatures: 4096, MaxActionBytes: 1 << 18,
	MaxSignatureBytes: 4096,
	MaxInputs:         256, MaxOutputs: 256,
	MaxMetadataEntries: 64, MaxMetadataKeyBytes: 256, MaxMetadataValueBytes: 4096, MaxProofBytes: 1 << 17,
	MaxIdentityDepth: 5, MaxIdentityComponents: 16,
}

// ErrResources says that a part of a request is beyond a resource limit. The
// error names the limit.
var ErrResources = errors.New("beyond a resource limit")

// limit is one field with its environment variable, without the common prefix.
type limit struct {
	variable string
	field    *int
}

func (r *Resources) limits() []limit {
	return []limit{
		{"REQUEST_BYTES", &r.MaxRequestBytes}, {"ACTIONS", &r.MaxActions},
		{"ACTION_BYTES", &r.MaxActionBytes}, {"SIGNATURES", &r.MaxSignatures},
		{"SIGNATURE_BYTES", &r.MaxSignatureBytes}, {"INPUTS", &r.MaxInputs}, {"OUTPUTS", &r.MaxOutputs},
		{"PROOF_BYTES", &r.MaxProofBytes},
		{"METADATA_ENTRIES", &r.MaxMetadataEntries}, {"METADATA_KEY_BYTES", &r.MaxMetadataKeyBytes},
		{"METADATA_VALUE_BYTES", &r.MaxMetadataValueBytes},
		{"IDENTITY_DEPTH", &r.MaxIdentityDepth}, {"IDENTITY_COMPONENTS", &r.MaxIdentityComponents},
	}
}

// WithDefaults returns r with each zero or negative field replaced by
// the field of DefaultResources.
func (r Resources) WithDefaults() Resources {
	all := DefaultResources
	defaults := all.limits()
	for i, l := range r.limits() {
		if *l.field <= 0 {
			*l.field = *defaults[i].field
		}
	}
	return r
}

// ResourcesOf reads the limits from environment variables with the names of the
// reference, such as TOKEN_VALIDATION_MAX_PROOF_BYTES (addendum v015). Variables that
// are unset or empty mean the default. It fails on a variable that is not a decimal integer,
// and names it.
func ResourcesOf(getenv func(name string) string) (r Resources, err error) {
	for _, l := range r.limits() {
		name := "TOKEN_VALIDATION_MAX_" + l.variable
		if text := getenv(name); text != "" {
			*l.field, err = strconv.Atoi(text)
			if err != nil {
				return Resources{}, fmt.Errorf("%s is %q, which is not an integer", name, text)
			}
		}
	}
	return r.WithDefaults(), nil
}

// within returns ErrResources with the name of limit most if size is larger.
func within(name string, size, most int) error {
	if size > most {
		return fmt.Errorf("%w: %s is %d, found %d", ErrResources, name, most, size)
	}
	return nil
}

// CheckRequest checks the limits on a whole request of size bytes. All fields of
// r are positive.
func (r Resources) CheckRequest(size int, req *Request) error {
	err := cmp.Or(
		within("maxRequestBytes", size, r.MaxRequestBytes),
		within("maxActions", len(req.Actions), r.MaxActions),
		within("maxSignatures", len(req.Signatures), r.MaxSignatures),
	)
	if err != nil {
		return err
	}
	for i, a := range req.Actions {
		if err := within("maxActionBytes", len(a.Raw), r.MaxActionBytes); err != nil {
			return fmt.Errorf("action %d: %w", i, err)
		}
	}
	for i, s := range req.Signatures {
		if err := within("maxSignatureBytes", len(s.Raw), r.MaxSignatureBytes); err != nil {
			return fmt.Errorf("signature %d: %w", i, err)
		}
	}
	return nil
}

// CheckDepth checks the number of identities of several parties that lie one inside
// another on a path to a party. Identities of all types count: multisig, policy and
// script. All fields of r are positive.
func (r Resources) CheckDepth(depth int) error {
	return within("maxIdentityDepth", depth, r.MaxIdentityDepth)
}

// CheckComponents checks the number of parties of one identity: all members of a multisig
// or policy identity, sender and recipient of a script. All fields of r are positive.
func (r Resources) CheckComponents(n int) error {
	return within("maxIdentityComponents", n, r.MaxIdentityComponents)
}

// CheckAction checks the limits on one action. All fields of r are positive.
func (r Resources) CheckAction(s token.Sizes) error {
	err := cmp.Or(
		within("maxInputs", s.Inputs, r.MaxInputs),
		within("maxOutputs", s.Outputs, r.MaxOutputs),
		within("maxMetadataEntries", len(s.Metadata), r.MaxMetadataEntries),
		within("maxProofBytes", s.Proof, r.MaxProofBytes),
	)
	if err != nil || len(s.Metadata) == 0 {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(s.Metadata)) {
		err := cmp.Or(
			within("maxMetadataKeyBytes", len(key), r.MaxMetadataKeyBytes),
			within("maxMetadataValueBytes", len(s.Metadata[key]), r.MaxMetadataValueBytes),
		)
		if err != nil {
			return err
		}
	}
	return nil
}
