// Package tidy has tests of the whole tree: source text, imports, exported types,
// documents, and the scripts that users of other modules run.
// Each test is about the tree, not about one package: the import graph follows the layers of
// docs/architecture.md, exported names are used, announced and shown in examples, values
// with secrets are never printed, and documents cite what exists.
package tidy
