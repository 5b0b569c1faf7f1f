// Package tidy has tests over the source text of the whole module.
//
//	source_test.go   the folders and files that the tests read
//	maps_test.go     package comments name every file of their package
//	sections_test.go comments cite sections that exist
//	exported_test.go exported names are used, or named in docs
package tidy
