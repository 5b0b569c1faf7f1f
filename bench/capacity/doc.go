// Package capacity computes the needs of a network from measured costs: cores of
// each role, waiting times, bytes.
//
//	settings.go  Settings: the load, the rules of the network, its limits
//	subject.go   Subject: roles, their operations, the choices between protocols
//	cost.go      Costs of a choice, from samples or from a results file
//	measure.go   Measure: the samples, in processor time
//	model.go     model: a choice reduced to numbers; cores, bytes
//	arrivals.go  times of requests: at random, in bursts, from a file
//	queue.go     a queue with k servers, simulated in virtual time
//	consensus.go the time until validators have committed a request
//	speedup.go   the work of several cores: measured, by a law, or assumed
//	plan.go      Plan: all choices side by side, the cheapest, sensitivity
//	verify.go    a plan compared with a real run
//	text.go      a plan as text
//	charts.go    cores over the rate, and waiting over the utilisation
//
// The package does not depend on the planned system. docs/capacity.md is the
// user's guide.
package capacity
