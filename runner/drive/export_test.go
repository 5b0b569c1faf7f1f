package drive // lockName is private: tests put other files in the place of the lock

// Names that only tests of this package use.
const LockName = lockName
