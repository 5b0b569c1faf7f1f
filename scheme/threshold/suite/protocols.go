package suite

import "slices"

// A protocol makes the runs of its cases.
type protocol interface {
	// sequences are its lines in tables, and with them its cases.
	sequences() []sequence
	// parties returns the number of parties for a number of malicious ones.
	parties(malicious int) int
	// prepare deals the keys of r.Case, runs the phases before, and sets the party and
	// the verification of r.
	prepare(r *Run) error
}

// protocols are all protocols, in the order of flags. A new one is one line here
// (docs/threshold.md); its methods are in this package.
var protocols = []protocol{frostProtocol{}, robustProtocol{}, otProtocol{}}

// sequence is a signature scheme as a sequence of phases.
type sequence struct {
	Name string
	// Triples, Presign and Sign are names of cases. A name is empty if the scheme
	// lacks the phase.
	Triples, Presign, Sign string
}

// Cases returns the names of the phases in their order.
func (s sequence) Cases() []string {
	return slices.DeleteFunc([]string{s.Triples, s.Presign, s.Sign}, func(name string) bool {
		return name == ""
	})
}

// Sequences are the lines of tables. The lines of the last protocol come first.
func Sequences() (all []sequence) {
	for _, p := range slices.Backward(protocols) {
		all = append(all, p.sequences()...)
	}
	return all
}

// casesOf returns the cases of a protocol.
func casesOf(p protocol) (names []string) {
	for _, s := range p.sequences() {
		names = append(names, s.Cases()...)
	}
	return names
}

// CaseNames returns the names of all cases.
func CaseNames() (names []string) {
	for _, p := range protocols {
		names = append(names, casesOf(p)...)
	}
	return names
}

// protocolOf returns the protocol with a case; nil without one.
func protocolOf(name string) protocol {
	for _, p := range protocols {
		if slices.Contains(casesOf(p), name) {
			return p
		}
	}
	return nil
}

type frostProtocol struct{}

func (frostProtocol) sequences() []sequence {
	return []sequence{{Name: "FROST", Sign: frostSign},
		{Name: "FROST, presigned", Presign: frostPresign, Sign: frostPresignedSign}}
}
func (frostProtocol) parties(malicious int) int { return malicious + 1 }
func (frostProtocol) prepare(r *Run) error      { return prepareFrost(r) }

type robustProtocol struct{}

func (robustProtocol) sequences() []sequence {
	return []sequence{{Name: "Robust ECDSA", Presign: robustPresign, Sign: robustSign}}
}
func (robustProtocol) parties(malicious int) int { return 2*malicious + 1 }
func (robustProtocol) prepare(r *Run) error      { return prepareRobust(r) }

type otProtocol struct{}

func (otProtocol) sequences() []sequence {
	return []sequence{{Name: "OT ECDSA", Triples: otTriples, Presign: otPresign, Sign: otSign}}
}
func (otProtocol) parties(malicious int) int { return malicious + 1 }
func (otProtocol) prepare(r *Run) error      { return prepareOT(r) }
