// Package recorded writes files of token requests with their expected verdicts, and verifies
// such files: its own, and the folders that the reference records.
// A file has one setting: a curve, a proof system and a kind of owner. Verdicts are compared with
// the expected ones, item by item.
package recorded
