//go:build !unix

package drive

import "context"

// Lock has no effect on systems without flock: the caller must ensure that no
// other measurement runs.
func Lock(context.Context, func(Holder)) (unlock func(), err error) { return func() {}, nil }

// LockFile has no effect on these systems, as Lock.
func LockFile(context.Context, string, func(Holder)) (unlock func(), err error) {
	return func() {}, nil
}

// alive reports false: without locks no process lends one.
func alive(int) bool { return false }
