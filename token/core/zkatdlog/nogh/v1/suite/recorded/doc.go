// Package recorded writes files of token requests with their expected verdicts, and verifies
// such files: its own, and the folders that the reference records.
//
//	vectors.go   the file, and how it is made for each setting
//	recorded.go  the folders of the reference
//	verify.go    verdicts against the expected ones
package recorded
