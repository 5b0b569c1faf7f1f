//go:build unix && !linux

package drive_test

func smallFileSystem(string) (undo func(), words string) { return func() {}, "file too large" }
