package htlc // encodings and a bound for external tests

const (
	MaxPreimage = maxPreimage
	Base64      = inBase64
	Hex         = inHex
)
