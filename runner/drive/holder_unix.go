//go:build unix && !linux

package drive

import "os"

// holderOf returns the zero Holder, since only Linux names the process.
func holderOf(*os.File) Holder { return Holder{} }
