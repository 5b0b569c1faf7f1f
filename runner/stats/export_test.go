package stats

// Names that only tests of this package use.
var Trend = trend
