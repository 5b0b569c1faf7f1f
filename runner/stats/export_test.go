package stats // trend is private: Trends and Steady show only its sign and size

// Names that only tests of this package use.
var Trend = trend
