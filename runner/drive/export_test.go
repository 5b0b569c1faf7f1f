package drive

// Names that only tests of this package use.
const LockName = lockName
