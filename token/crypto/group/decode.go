package group

// DecodeEach is Codec.DecodePoints for backends that do not gain from decoding
// points together: it decodes them one by one.
func DecodeEach(dst []Point, bs [][]byte, decode func([]byte) (Point, error)) (int, error) {
	for i, b := range bs {
		p, err := decode(b)
		if err != nil {
			return i, err
		}
		dst[i] = p
	}
	return len(bs), nil
}
