//go:build !unix

package drive

import "context"

// Lock does nothing on systems without flock: the caller must ensure that no
// other measurement runs.
func Lock(context.Context, func(Holder)) (unlock func(), err error) { return func() {}, nil }

// LockFile does nothing either.
func LockFile(context.Context, string, func(Holder)) (unlock func(), err error) {
	return func() {}, nil
}

// alive reports false: without locks no process lends one.
func alive(int) bool { return false }
