package token

var Format = format
