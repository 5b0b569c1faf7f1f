// Package tidy has tests of the whole tree: source text, imports, exported types,
// documents, and the scripts that users of other modules run.
//
//	source_test.go   the folders and files that the tests read
//	maps_test.go     package comments name every file of their package, doc.go every folder
//	sections_test.go comments cite sections that exist
//	exported_test.go exported names are used, or named in docs
//	imports_test.go  the import graph follows the rules of docs/architecture.md
//	linked_test.go   the packages with tests that link the report renderer
//	accept_test.go   every test package accepts the flags of the benchmarks
//	load_test.go     the exported types of packages that handle secrets
//	secrets_test.go  package fmt never prints secrets
//	format_test.go   the output of formatting verbs for values with secrets
//	holders_test.go  the same for every type with secrets
//	zero_test.go     zero values work or are errors
//	streams_test.go  foreign text is printed with visible control characters
//	docs_test.go     links of documents and their index
//	action_test.go   the steps of action.yml on a module with planted changes
//	api_test.go      exported names are as in the last release, or announced
//	install_test.go  go install of the command from the zip of the module
package tidy
