// Package simd ends the use of wide vector registers.
//
//	leave.go        empty, on other processors
//	leave_amd64.go  Leave on amd64
package simd
