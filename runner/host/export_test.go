package host

// Names that only tests of this package use.
var ReadFrom = readFrom
