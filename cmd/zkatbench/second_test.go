package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// This file is a second decoder of the v1 format, written from the
// specification alone: it shares no code with the packages that write the
// format. It checks structure: names, numbers and order of fields, lengths, and
// one encoding for each value.

// second decodes the values of one file.
type second struct {
	t     *testing.T
	path  string // of the value, for messages
	curve int
	point int // length of a point in bytes
	csp   bool
	bits  int
}

func (s second) at(name string) second { s.path += "." + name; return s }

func (s second) require(ok bool, format string, args ...any) {
	s.t.Helper()
	if !ok {
		s.t.Fatalf("%s: %s", s.path, fmt.Sprintf(format, args...))
	}
}

// layout reads the bytes of one value.
type layout func(s second, b []byte)

// entry is a field of a protobuf message. least and most bound its number of
// occurrences; a number has a nil layout.
type entry struct {
	n           int
	name        string
	least, most int
	read        layout
	number      func(v uint64) bool
}

// any64 bounds lists of any length.
const any64 = 64

func must(n int, name string, read layout) entry {
	return entry{n: n, name: name, least: 1, most: 1, read: read}
}
func may(n int, name string, read layout) entry { return entry{n: n, name: name, most: 1, read: read} }
func repeated(n int, name string, least, most int, read layout) entry {
	return entry{n: n, name: name, least: least, most: most, read: read}
}
func number(n int, name string, least int, ok func(v uint64) bool) entry {
	return entry{n: n, name: name, least: least, most: 1, number: ok}
}
func is(want uint64) func(uint64) bool { return func(v uint64) bool { return v == want } }
func positive(v uint64) bool           { return v > 0 }

// message decodes a proto3 message: known fields in ascending order, minimal
// varints, no default values. Messages as values may be empty.
func message(entries ...entry) layout {
	return func(s second, b []byte) {
		s.t.Helper()
		seen, last := map[int]int{}, 0
		for len(b) > 0 {
			tag, rest := s.varint(b)
			n := int(tag >> 3)
			i := slices.IndexFunc(entries, func(e entry) bool { return e.n == n })
			s.require(i >= 0, "unknown field %d", n)
			e := entries[i]
			s.require(n >= last, "field %d after %d", n, last)
			last = n
			seen[n]++
			f := s.at(e.name)
			if e.number != nil {
				s.require(tag&7 == 0, "wire type %d", tag&7)
				v, more := f.varint(rest)
				f.require(v != 0 && e.number(v), "value %d", v)
				b = more
				continue
			}
			s.require(tag&7 == 2, "wire type %d", tag&7)
			size, rest := f.varint(rest)
			f.require(size <= uint64(len(rest)), "cut")
			e.read(f, rest[:size])
			b = rest[size:]
		}
		for _, e := range entries {
			s.require(e.least <= seen[e.n] && seen[e.n] <= e.most, "%s %d times", e.name, seen[e.n])
		}
	}
}

func (s second) varint(b []byte) (uint64, []byte) {
	s.t.Helper()
	v, n := binary.Uvarint(b)
	s.require(n > 0 && (n == 1 || b[n-1] != 0), "varint")
	return v, b[n:]
}

// some decodes non-empty bytes or text.
func some(s second, b []byte) { s.require(len(b) > 0, "a default is written") }

func bytesOf(want string) layout {
	return func(s second, b []byte) { s.require(string(b) == want, "%q", b) }
}

// tlv takes one DER value off b.
func (s second) tlv(tag byte, b []byte) (content, rest []byte) {
	s.t.Helper()
	s.require(len(b) >= 2 && b[0] == tag, "DER tag")
	size, at := int(b[1]), 2
	if size > 0x80 {
		n := size - 0x80
		s.require(n <= 3 && len(b) >= 2+n, "DER length")
		size = 0
		for _, c := range b[2 : 2+n] {
			size = size<<8 | int(c)
		}
		at += n
		s.require(size >= 0x80 && b[2] != 0, "DER length is not minimal")
	}
	s.require(size <= len(b)-at, "DER is cut")
	return b[at : at+size], b[at+size:]
}

// values decodes SEQUENCE { SEQUENCE OF OCTET STRING } with one layout for each
// member.
func (s second) values(b []byte) (members [][]byte) {
	s.t.Helper()
	outer, rest := s.tlv(0x30, b)
	inner, after := s.tlv(0x30, outer)
	s.require(len(rest)+len(after) == 0, "bytes after a list")
	for len(inner) > 0 {
		var m []byte
		m, inner = s.tlv(4, inner)
		members = append(members, m)
	}
	return members
}

// container reads Cont(…).
func container(parts ...layout) layout {
	return func(s second, b []byte) {
		s.t.Helper()
		members := s.values(b)
		s.require(len(members) == len(parts), "%d parts", len(members))
		for i, m := range members {
			parts[i](s.at(strconv.Itoa(i)), m)
		}
	}
}

// elements reads Math(…): "p" is a point, "s" a scalar, "p3" a list of three
// points.
func elements(kinds ...string) layout {
	return func(s second, b []byte) {
		s.t.Helper()
		members := s.values(b)
		s.require(len(members) == len(kinds), "%d elements", len(members))
		for i, m := range members {
			e := s.at(strconv.Itoa(i))
			seq, rest := e.tlv(0x30, m)
			id, seq := e.tlv(2, seq)
			raw, after := e.tlv(4, seq)
			e.require(len(rest)+len(after) == 0 && len(id) == 1 && int(id[0]) == s.curve, "element")
			kind, count, isList := kinds[i][:1], kinds[i][1:], len(kinds[i]) > 1
			list := [][]byte{raw}
			if isList {
				list = e.values(raw)
				e.require(strconv.Itoa(len(list)) == count, "%d values", len(list))
			}
			for _, v := range list {
				e.require(len(v) == map[string]int{"p": s.point, "s": 32}[kind], "%d bytes", len(v))
			}
		}
	}
}

func times(n int, l layout) []layout { return slices.Repeat([]layout{l}, n) }

// element reads the message { raw = 1 } with the JSON form of n bytes.
func element(n func(s second) int) layout {
	return message(must(1, "raw", func(s second, b []byte) {
		m := regexp.MustCompile(`^\{"curve":([0-9]+),"element":"([A-Za-z0-9+/]*=*)"\}$`).FindSubmatch(b)
		s.require(m != nil && string(m[1]) == strconv.Itoa(s.curve), "%s", b)
		raw, err := base64.StdEncoding.Strict().DecodeString(string(m[2]))
		s.require(err == nil && len(raw) == n(s), "%v, %d bytes", err, len(raw))
	}))
}

var (
	point  = element(func(s second) int { return s.point })
	scalar = element(func(second) int { return 32 })
	owner  = func(s second, b []byte) { s.identity(b) }
	party  = message(must(1, "raw", owner))
)

// typed reads SEQUENCE { type INTEGER, content OCTET STRING }.
func (s second) typed(b []byte) (kind int, content []byte) {
	s.t.Helper()
	seq, rest := s.tlv(0x30, b)
	n, seq := s.tlv(2, seq)
	content, after := s.tlv(4, seq)
	s.require(len(rest)+len(after) == 0 && len(n) == 1, "typed value")
	return int(n[0]), content
}

// identity reads a typed identity of X.509 or Idemix.
func (s second) identity(b []byte) (kind int) {
	s.t.Helper()
	kind, content := s.typed(b)
	switch kind {
	case 1:
		message(must(1, "nym_public_key", some), must(4, "proof", some))(s, content)
	case 2:
		s.require(bytes.HasPrefix(content, []byte("-----BEGIN CERTIFICATE-----\n")) &&
			bytes.HasSuffix(content, []byte("\n-----END CERTIFICATE-----\n")), "%q", content)
	default:
		s.require(false, "identity of type %d", kind)
	}
	return kind
}

// object reads a JSON object with exactly these fields in this order, without
// white space, and returns their values.
func (s second) object(b []byte, names ...string) map[string]json.RawMessage {
	s.t.Helper()
	var compact bytes.Buffer
	s.require(json.Compact(&compact, b) == nil && bytes.Equal(compact.Bytes(), b), "JSON %.60s", b)
	values := map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(b))
	_, err := d.Token()
	s.require(err == nil, "%v", err)
	for _, want := range names {
		name, err := d.Token()
		s.require(err == nil && name == want, "field %v for %s", name, want)
		var v json.RawMessage
		s.require(d.Decode(&v) == nil && string(v) != "null", "%s is %.20s", want, v)
		values[want] = v
	}
	s.require(!d.More(), "another field")
	return values
}

func (s second) base64(v json.RawMessage) []byte {
	s.t.Helper()
	raw, err := base64.StdEncoding.Strict().DecodeString(strings.Trim(string(v), `"`))
	s.require(err == nil, "%v", err)
	return raw
}

// auditInfo reads audit information of an identity of a kind.
func (s second) auditInfo(kind int, b []byte) {
	s.t.Helper()
	if kind == 2 {
		s.base64(s.base64AsText(s.object(b, "EID", "RH")["RH"]))
		return
	}
	o := s.object(b, "EidNymAuditData", "RhNymAuditData", "Attributes", "Schema")
	for _, name := range []string{"EidNymAuditData", "RhNymAuditData"} {
		opening := s.object(o[name], "Nym", "Rand", "Attr")
		length := 0
		for _, part := range []string{"Nym", "Rand", "Attr"} {
			e := s.object(opening[part], "curve", "element")
			label, err := strconv.Atoi(string(e["curve"]))
			credentials, size := s.credentials()
			s.require(err == nil && label == credentials, "curve %s", e["curve"])
			if length = 32; part == "Nym" {
				length = size
			}
			s.require(len(s.base64(e["element"])) == length, "%s", part)
		}
	}
	var attributes []*string
	s.require(json.Unmarshal(o["Attributes"], &attributes) == nil && len(attributes) == 4 &&
		attributes[0] == nil && attributes[1] == nil &&
		attributes[2] != nil && attributes[3] != nil, "attributes %s", o["Attributes"])
	s.require(string(o["Schema"]) == `""`, "schema")
}

// base64AsText returns the text in base64, which is base64 itself.
func (s second) base64AsText(v json.RawMessage) json.RawMessage { return s.base64(v) }

// credentials are the label of the credentials' curve and the length of its
// points: BN254 unless the network's curve has a credential scheme.
func (s second) credentials() (label, size int) {
	switch s.curve {
	case 6:
		return 7, 96
	case 7, 8:
		return s.curve, 96
	}
	return 1, 64
}

// params reads public parameters.
func (s second) params(b []byte) {
	s.t.Helper()
	envelope := s.object(b, "identifier", "raw")
	s.require(string(envelope["identifier"]) == `"zkatdlognogh.v1"`, "identifier")
	curve := func(id uint64) layout { return message(number(1, "id", min(1, int(id)), is(id))) }
	n, rounds := s.bits, map[int]uint64{16: 4, 32: 5, 64: 6}[s.bits]
	credentials, _ := s.credentials()
	if s.curve == 6 { // the label of the key is the network's
		credentials = 6
	}
	var system entry
	if s.csp {
		system = must(12, "csp_range_proof_params", message(
			repeated(1, "left_generators", n+1, n+1, point), repeated(2, "right_generators", n+1, n+1, point),
			number(3, "bit_length", 1, is(uint64(n)))))
	} else {
		system = must(5, "range_proof_params", message(
			repeated(1, "left_generators", n, n, point), repeated(2, "right_generators", n, n, point),
			must(3, "p", point), must(4, "q", point),
			number(5, "bit_length", 1, is(uint64(n))), number(6, "number_of_rounds", 1, is(rounds))))
	}
	key := func(s second, b []byte) {
		s.require(len(b) == map[bool]int{true: 843, false: 96}[credentials == 1], "%d bytes", len(b))
	}
	message(
		must(1, "token_driver_name", bytesOf("zkatdlognogh")), number(2, "token_driver_version", 1, is(1)),
		must(3, "curve_id", curve(uint64(s.curve))), repeated(4, "pedersen_generators", 3, 3, point), system,
		must(6, "idemix_issuer_public_keys",
			message(must(1, "public_key", key), must(2, "curve_id", curve(uint64(credentials))))),
		repeated(7, "auditors", 1, any64, party), repeated(8, "issuers", 1, any64, party),
		number(9, "max_token", 1, is(1<<n-1)), number(10, "quantity_precision", 1, is(uint64(n))),
	)(s.at("pp"), s.base64(envelope["raw"]))
}

var tokenID = message(must(1, "tx_id", some), number(2, "index", 0, positive))

func output(redeemed *bool) layout {
	return message(must(1, "token", func(s second, b []byte) {
		*redeemed = true
		message(may(1, "owner", func(s second, b []byte) { *redeemed = false; owner(s, b) }),
			must(2, "data", point))(s, b)
	}))
}

// proof reads a proof with the given first part.
func proof(inputs, outputs *int, first func(inputs int) layout) layout {
	return func(s second, b []byte) {
		whole := func(s second, b []byte) {
			parts := s.values(b)
			s.require(len(parts) == 2, "%d parts", len(parts))
			first(*inputs)(s.at("first"), parts[0])
			if *inputs == 1 && *outputs == 1 {
				s.require(len(parts[1]) == 0, "range proofs of one input and output")
				return
			}
			container(container(times(*outputs, s.rangeProof())...))(s.at("ranges"), parts[1])
		}
		n := 1
		if s.csp {
			n = 2
		}
		message(must(n, "proof_type", whole))(s, b)
	}
}

func (s second) rangeProof() layout {
	if s.csp {
		r := map[int]string{16: "6", 32: "7", 64: "8"}[s.bits]
		return elements("p", "p", "s2", "s", "p", "s", "p"+r, "p"+r, "s"+r, "s"+r)
	}
	r := map[int]string{16: "4", 32: "5", 64: "6"}[s.bits]
	return container(elements("p", "p", "s", "p", "p", "s", "s"), elements("s", "s", "p"+r, "p"+r))
}

// action is an action as needed to check its metadata.
type secondAction struct {
	kind     uint64
	inputs   int
	redeemed []bool
}

func (s second) action(kind uint64, b []byte) (a secondAction) {
	s.t.Helper()
	a.kind = kind
	var outputs int
	out := repeated(0, "outputs", 1, any64, func(s second, b []byte) {
		var redeemed bool
		output(&redeemed)(s, b)
		a.redeemed = append(a.redeemed, redeemed)
		outputs++
	})
	if kind == 1 {
		out.n = 4
		none := 0 // an issue has a range proof for each output
		message(number(1, "version", 1, is(1)), must(2, "issuer", party), out,
			must(5, "proof",
				proof(&none, &outputs, func(int) layout { return elements("s", "s", "s", "p") })))(s, b)
		return a
	}
	out.n = 3
	in := repeated(2, "inputs", 1, any64, func(s second, b []byte) {
		a.inputs++
		message(must(1, "token_id", tokenID),
			must(2, "input", message(must(1, "owner", owner), must(2, "data", point))))(s, b)
	})
	message(number(1, "version", 1, is(1)), in, out,
		must(4, "proof", proof(&a.inputs, &outputs, func(n int) layout {
			return elements("p", fmt.Sprint("s", n), fmt.Sprint("s", n), "s", "s", "s", "s")
		})), may(6, "issuer", party))(s, b)
	return a
}

// request reads a token request.
func (s second) request(b []byte) (actions []secondAction) {
	s.t.Helper()
	signature := must(2, "signature", message(must(1, "raw", some)))
	message(number(1, "version", 1, is(1)),
		repeated(2, "actions", 1, any64, message(must(1, "typed_action", func(s second, b []byte) {
			var kind uint64
			message(number(1, "type", 1, func(v uint64) bool { kind = v; return v == 1 || v == 2 }),
				must(2, "raw", func(s second, b []byte) {
					actions = append(actions, s.action(kind, b))
				}))(s, b)
		}))),
		repeated(3, "signatures", 2, 1000, message(
			may(1, "action_signature", message(number(1, "action_id", 0, positive), signature)),
			may(2, "auditor_signature", message(must(1, "identity", party), signature)))),
	)(s, b)
	return actions
}

// metadata reads the metadata of a request.
func (s second) metadata(b []byte, actions []secondAction) {
	s.t.Helper()
	auditable := func(s second, b []byte) {
		var kind int
		message(must(1, "identity",
			message(must(1, "raw", func(s second, b []byte) { kind = s.identity(b) }))),
			must(2, "audit_info", func(s second, b []byte) { s.auditInfo(kind, b) }))(s, b)
	}
	at := -1
	output := func(j *int) layout {
		return func(s second, b []byte) {
			redeemed := actions[at].redeemed[*j]
			*j++
			opening := func(s second, b []byte) {
				kind, content := s.typed(b)
				s.require(kind == 2, "opening of type %d", kind)
				issuer := message(may(1, "raw", owner))
				if actions[at].kind == 1 {
					issuer = party
				}
				message(must(1, "type", some), must(2, "value", scalar), must(3, "blinding_factor", scalar),
					must(4, "issuer", issuer))(s, content)
			}
			if redeemed { // one receiver with an empty identity
				message(must(1, "metadata", opening),
					may(3, "receivers", message(may(1, "identity", message()))))(s, b)
				return
			}
			var info []byte
			message(must(1, "metadata", opening),
				must(2, "audit_info", func(_ second, b []byte) { info = b }),
				must(3, "receivers", func(s second, b []byte) {
					var kind int
					message(must(1, "identity",
						message(must(1, "raw", func(s second, b []byte) { kind = s.identity(b) }))),
						must(2, "audit_info", some))(s, b)
					s.auditInfo(kind, info)
					auditable(s, b)
				}))(s, b)
		}
	}
	outputs := func(n int) entry {
		j := 0
		return repeated(n, "outputs", len(actions[at].redeemed), len(actions[at].redeemed), output(&j))
	}
	message(number(1, "version", 1, is(1)),
		repeated(2, "metadata", len(actions), len(actions), func(s second, b []byte) {
			at++
			a := actions[at]
			id := number(1, "action_id", min(at, 1), is(uint64(at)))
			if a.kind == 1 {
				message(id, must(2, "issue_metadata", message(must(1, "issuer", auditable), outputs(3))))(s,
					b)
				return
			}
			input := message(must(1, "token_id", tokenID), must(2, "senders", auditable))
			message(id,
				must(3, "transfer_metadata",
					message(repeated(1, "inputs", a.inputs, a.inputs, input), outputs(2),
						may(3, "issuer", message(must(1, "identity", party))))))(s, b)
		}))(s, b)
}

// file reads a file of vectors.
func (s second) file(b []byte) (cases int) {
	s.t.Helper()
	var compact bytes.Buffer
	s.require(json.Compact(&compact, b) == nil, "JSON")
	f := s.object(compact.Bytes(), "config", "bits", "curve", "curve_id", "proof_type", "owner_identity_type",
		"pp_raw",
		"issuer_identity", "auditor_identity", "cases")
	s.require(json.Unmarshal(f["curve_id"], &s.curve) == nil && json.Unmarshal(f["bits"], &s.bits) == nil,
		"numbers")
	s.csp, s.point = string(f["proof_type"]) == `"csp"`, 64
	switch curve := string(f["curve"]); {
	case strings.Contains(curve, "BLS12_381"):
		s.point = 96
	case strings.Contains(curve, "FP256BN"):
		s.point = 65
	}
	s.params(s.base64(f["pp_raw"]))
	s.require(s.identity(s.base64(f["issuer_identity"])) == 2 &&
		s.identity(s.base64(f["auditor_identity"])) == 2, "issuer and auditor")
	var all map[string]json.RawMessage
	s.require(json.Unmarshal(f["cases"], &all) == nil, "cases")
	for name, raw := range all {
		c := s.at(name)
		names := []string{"txid", "req_raw", "metadata", "inputs", "peer_verdict", "peer_audit_verdict"}
		if strings.HasPrefix(name, "issues") {
			names = slices.Delete(names, 3, 4)
		}
		o := c.object(raw, names...)
		actions := c.at("request").request(c.base64(o["req_raw"]))
		c.at("metadata").metadata(c.base64(o["metadata"]), actions)
		var inputs map[string]json.RawMessage
		c.require(o["inputs"] == nil || json.Unmarshal(o["inputs"], &inputs) == nil, "inputs")
		for id, clear := range inputs {
			c.require(regexp.MustCompile(`^\[[^:]+:[0-9]+\]$`).MatchString(id), "input %q", id)
			in := c.object(clear, "owner", "type", "quantity")
			c.identity(c.base64(in["owner"]))
			c.require(regexp.MustCompile(`^"0x(0|[1-9a-f][0-9a-f]*)"$`).Match(in["quantity"]), "quantity %s",
				in["quantity"])
		}
		cases++
	}
	return cases
}

// TestSecondReader checks that the output of vectors, for each kind of owners,
// curve and proof type, has the form of the specification. Curves other than
// the default have fewer shapes, and in the usual size one stands for others of its kind.
func TestSecondReader(t *testing.T) {
	for _, c := range []struct {
		curves, inputs, outputs, cases string
	}{
		{nightly.Pick("", "BN254", "BN254,BLS12_381_BBS_GURVY,BLS12_381_BBS_GURVY_FAST_RNG"), "1,2", "1,2",
			"16"},
		{nightly.Pick("BLS12_381_BBS", "BLS12_381_BBS_GURVY",
			"BLS12_381_BBS,FP256BN_AMCL,FP256BN_AMCL_MIRACL"), "2", "1", "4"},
		{nightly.Pick("", "FP256BN_AMCL", ""), "1", "1", "4"},
	} {
		if c.curves == "" {
			continue
		}
		dir := t.TempDir()
		require.NoError(t, execute(io.Discard, "vectors", "-o", dir, "-bits", "16", "-proof_type",
			"csp,bulletproof", "-owner", "x509,idemix", "-curves", c.curves, "-num_inputs", c.inputs,
			"-num_outputs", c.outputs, "-count", c.cases))
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		require.Len(t, files, len(strings.Split(c.curves, ","))*2*2)
		for _, path := range files {
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			cases := second{t: t, path: filepath.Base(path)}.file(b)
			require.Equal(t, c.cases, strconv.Itoa(cases))
		}
	}
}
