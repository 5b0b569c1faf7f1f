// Package capacity computes the needs of a network from measured costs: cores of
// each role, waiting times, bytes.
//
// Settings describe the load and the rules of a network, and a Subject its roles
// with their operations. Measure finds the costs of the operations, a model
// reduces a choice to cores and bytes, and queues simulated in virtual time give
// the waits. A Plan has all choices side by side; Verify compares it with a real
// run.
//
// The package does not depend on the planned system. docs/capacity.md is the
// user's guide.
package capacity
