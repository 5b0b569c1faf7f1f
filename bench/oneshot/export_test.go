package oneshot

// Names that only tests of this package use.
var Random = random
