package result

// Names that only tests of this package use.
var NoiseBefore = noiseBefore
