package wire

var DecodeJSONScalar = decodeJSONScalar
