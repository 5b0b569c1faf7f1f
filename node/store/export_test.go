package store

// SetExit replaces the end of the process until the test ends.
func SetExit(f func(status int)) (restore func()) {
	before := exit
	exit = f
	return func() { exit = before }
}
