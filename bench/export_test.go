package bench

// Names that only tests of this package use.
var WorkerCounts = workerCounts
