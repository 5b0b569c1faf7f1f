package suite

// Names that only tests of this package use.
var Batch = batchSize
var Operations = operations
var Requests = requests
