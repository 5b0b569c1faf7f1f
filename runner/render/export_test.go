package render

// Names that only tests of this package use.
var CSV = writeCSV
