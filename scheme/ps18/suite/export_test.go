package suite

var (
	KeyGen          = keyGen
	VerifySignature = verifySignature
)

// Names that only tests of this package use.
var Decode = decode
var Sign = sign
var VerifyBatch = verifyBatch
