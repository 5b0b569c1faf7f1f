package suite

var Decode, VerifySignature = decode, verifySignature
