// Package v1 implements the services of a party: from token ids to a signed,
// serialised request.
//
// A Service is the state of a party. It makes issues and transfers as parts,
// and an Assembly has parts under one anchor, which owners and issuers sign,
// the auditor checks, and serialises them.
//
// A part is one action with its metadata and signers. A request of several
// actions, such as a swap, is an Assembly of several parts, which may come from
// several parties.
package v1
