// Package tidy has tests over the source text of the whole module.
//
//	doc.go           this page
//	source_test.go   the folders and files that the tests read
//	maps_test.go     package comments name every file of their package
//	sections_test.go comments cite sections that exist
//	exported_test.go exported names are used, or are documented interfaces
package tidy
