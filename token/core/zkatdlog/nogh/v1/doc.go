// Package v1 implements the services of a party: from token ids to a signed,
// serialised request.
//
//	service.go   Service: the state of a party; issues and transfers as parts
//	assemble.go  Assembly: parts under one anchor, signed by owners and issuers,
//	             audited, serialised
//	metadata.go  the information for the auditor
//	hashed.go    owners by hash; tokens on arrival
//
// A part is one action with its metadata and signers. A request of several
// actions, such as a swap, is an Assembly of several parts, which may come from
// several parties.
package v1
