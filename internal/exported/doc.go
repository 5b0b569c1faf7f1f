// Package exported tests rules that hold for every exported type and function of
// the packages that know secrets. It finds them in the compiler's export data, so
// that a new one is tested without being listed.
//
//	load_test.go     the packages and their exported types
//	format_test.go   what verbs print of values with secrets
//	secrets_test.go  package fmt prints no secret
//	zero_test.go     zero values work or are errors
package exported
