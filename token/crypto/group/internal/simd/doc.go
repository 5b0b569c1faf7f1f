// Package simd ends the use of wide vector registers.
package simd
