//go:build unix

package history

import (
	"errors"
	"syscall"
)

// isFull reports whether there is no room on the disk, or for the user, or in the file.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
