package transcript

func (t *V1) Preimage() []byte { return t.preimage() }
