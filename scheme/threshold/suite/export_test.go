package suite

// Names that only tests of this package use.
var Service = signing
