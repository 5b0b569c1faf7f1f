// Package hugepages asks the kernel for huge pages, so that reading a large
// table at random finds most addresses in the translation cache of the processor.
//
//	pages.go         which memory
//	advise_linux.go  the system call
//	advise_other.go  no advice, on other systems
package hugepages
