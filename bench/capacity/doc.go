// Package capacity computes the needs of a network from measured costs: cores of
// each role, waiting times, bytes.
//
//	settings.go  Settings: the load, the rules of the network, its limits
//	yaml.go      settings as a file
//	subject.go   Subject: roles, their operations, the choices between protocols
//	cost.go      Costs of a choice, from samples or from a results file
//	measure.go   Measure: the samples, in processor time
//	model.go     Model: a choice reduced to numbers; cores, bytes
//	queue.go     a queue with k servers, simulated in virtual time
//	random.go    the generator of the simulation
//	closed.go    closed forms of queues
//	plan.go      Plan: all choices side by side, the cheapest, sensitivity
//	verify.go    a plan compared with a real run
//	text.go      a plan as text
//	page.go      a plan as a page that computes in the browser
//	arithmetic.js  model.go, queue.go and random.go in JavaScript
//	page.js      the form, tables and charts of the page
//
// The package does not depend on the planned system. docs/capacity.md is the
// user's guide.
package capacity
