// Package exported tests rules for all exported types and functions of the
// packages that handle secrets. It finds them in the compiler's export data, so
// new ones are tested without being listed.
//
//	load_test.go     the packages and their exported types
//	format_test.go   the output of formatting verbs for values with secrets
//	secrets_test.go  package fmt never prints secrets
//	zero_test.go     zero values work or are errors
package exported
