package codec

func (c Codec) Unpack(s Shape, body []byte) ([][]byte, error) { return c.unpack(s, body) }
