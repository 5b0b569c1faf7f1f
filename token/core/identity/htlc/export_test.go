package htlc

const (
	MaxPreimage = maxPreimage
	Base64      = inBase64
	Hex         = inHex
)
