// Package presentation reads the bytes of Idemix owners: identities with their
// presentations of a credential, pseudonym signatures, and the signatures of
// owners of type 3. It accepts one encoding for each value, in the form that
// honest wallets write. It does not verify.
//
// Framing is read first, then scalars, and points last, for many messages
// together. BN254 has presentations of the "dlog" scheme, BLS12-381 of the BBS+
// scheme.
//
// Notation: additive groups, r their order, g₁ and g₂ the standard generators.
// An issuer's key is W in the second group. Its bases are h, for blinding, k,
// for the secret key, and a₀ … a₃, for the four attributes.
//
// Rules that hold for both schemes:
//
//   - the pseudonym of an identity equals the pseudonym inside its presentation;
//   - lengths and numbers of responses are exact, messages canonical protobuf;
//   - scalars are below r, points are encoded in one form, on the curve, in the
//     group and not its identity;
//   - the credential format fixes the positions of attributes: the enrolment
//     identifier is attribute 2, the revocation handle attribute 3;
//   - all attributes are hidden, without revocation: the key of the epoch
//     is g₂, the epoch 0, the proof of non-revocation present and empty.
//
// The signature of the epoch's key is read and not verified: no verifier has a
// key for it. Two presentations that differ only there are of one user.
package presentation
