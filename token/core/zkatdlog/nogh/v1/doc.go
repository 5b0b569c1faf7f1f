// Package v1 is the services of a party: from tokens by id to a signed,
// serialised request.
//
//	service.go   Service: what a party has; issues and transfers as parts
//	assemble.go  Assembly: parts under one anchor, signed by owners and issuers,
//	             audited, serialised
//	metadata.go  what the auditor is shown
//
// A part is one action with everything that goes with it, so a request of
// several actions, such as a swap, is an Assembly of several parts, which may
// come from several parties.
package v1
