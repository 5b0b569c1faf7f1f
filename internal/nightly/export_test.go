package nightly

// Names that only tests of this package use.
const Env = env
