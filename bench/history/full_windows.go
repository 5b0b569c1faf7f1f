package history

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isFull reports whether there is no room on the disk.
func isFull(err error) bool { return errors.Is(err, windows.ERROR_DISK_FULL) }
