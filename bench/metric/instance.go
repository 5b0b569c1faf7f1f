package metric

// Instance is an operation with its environment. Its functions can be called
// repeatedly and concurrently.
type Instance struct {
	// Work is the timed function. It returns its result, serialised; the result
	// is nil for operations that only verify.
	Work func() ([]byte, error)
	// Check returns an error if out, a result of Work, is wrong.
	Check func(out []byte) error
	// Exact returns the machine-independent figures of out.
	Exact func(out []byte) []Figure
	// Fresh returns the operation on newly decoded inputs; nil if new inputs
	// need another set-up.
	Fresh func() (Instance, error)
	// Inputs returns encodings of everything that Work reads; nil if its inputs cannot
	// be encoded. Work must not change them.
	Inputs func() [][]byte
	// Reads are pointers or slices of the values that Work reads; nil if there
	// are none. -purity compares their memory before and after Work.
	Reads any
	// Decode returns the operation on inputs that it decodes from their
	// encodings. -inputs=decode times it together with Work. Nil means that
	// decoding is not separate from Work.
	Decode func() (Instance, error)
}

// Figure is a figure other than the time.
type Figure struct {
	Value float64
	Unit  string
}

// Decoding returns the operation with decoding as a part of its work. Its
// inputs are encodings, which do not change, so every use decodes fresh inputs.
func (in Instance) Decoding() Instance {
	decodes := in
	decodes.Work = func() ([]byte, error) {
		decoded, err := in.Decode()
		if err != nil {
			return nil, err
		}
		return decoded.Work()
	}
	decodes.Fresh = func() (Instance, error) { return decodes, nil }
	decodes.Reads = nil
	return decodes
}
