package host // readFrom is private: tests give it files

// Names that only tests of this package use.
var ReadFrom = readFrom
