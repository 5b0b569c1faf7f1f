package hugepages

import "golang.org/x/sys/unix"

// advise ignores errors: kernels without huge pages refuse the advice.
func advise(pages []byte) { _ = unix.Madvise(pages, unix.MADV_HUGEPAGE) }
