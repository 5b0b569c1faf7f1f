package suite

var (
	KeyGen          = keyGen
	VerifySignature = verifySignature
)
