package drive_test

import "syscall"

// smallFileSystem mounts a file system of 64 KiB on dir. Only root can; for
// other users the limit on file sizes, which the child sets anyway, applies.
func smallFileSystem(dir string) (undo func(), words string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		return func() {}, "file too large"
	}
	return func() { _ = syscall.Unmount(dir, 0) }, "no space left on device"
}
