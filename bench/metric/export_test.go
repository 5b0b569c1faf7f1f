package metric

// Names that only tests of this package use.
var Memory = memory
