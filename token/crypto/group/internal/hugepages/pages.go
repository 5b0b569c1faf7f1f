package hugepages

import "unsafe"

// size is the size of a huge page in bytes, on amd64 and on arm64 with pages of
// 4 KiB.
const size = 2 << 20

// Advise asks for huge pages for the memory of s. It works best before the memory
// is first used. The kernel may ignore it; the contents of s stay the same.
func Advise[T any](s []T) {
	if pages := within(s); len(pages) > 0 {
		advise(pages)
	}
}

// within returns the whole huge pages in the memory of s.
func within[T any](s []T) []byte {
	first := unsafe.Pointer(unsafe.SliceData(s))
	bytes := uintptr(len(s)) * unsafe.Sizeof(*new(T))
	skipped := -uintptr(first) % size
	if bytes < skipped+size {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(first, skipped)), (bytes-skipped)/size*size)
}
