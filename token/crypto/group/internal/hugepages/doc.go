// Package hugepages asks the kernel for huge pages, so that reading a large
// table at random finds most addresses in the translation cache of the processor.
//
// Only Linux gets the advice.
package hugepages
