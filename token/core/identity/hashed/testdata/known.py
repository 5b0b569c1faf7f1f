#!/usr/bin/env python3
# Known answers of docs/spec/hashed-owners.md, written from its text alone:
# known.py > known.json
import hashlib, json

def lp(b): return len(b).to_bytes(4, "big") + b

def tlv(tag, content):
    n = len(content)
    length = bytes([n]) if n < 128 else (lambda l: bytes([128 + len(l)]) + l)(n.to_bytes((n.bit_length() + 7) // 8, "big"))
    return bytes([tag]) + length + content

def octets(b): return tlv(4, b)
def integer(i): return tlv(2, i.to_bytes(i.bit_length() // 8 + 1, "big"))
def seq(*parts): return tlv(0x30, b"".join(parts))
def typed(kind, raw): return seq(integer(kind), octets(raw))

pd = hashlib.sha256(b"parameters").digest()
plain = {kind: typed(kind, bytes([kind]) * n) for kind, n in [(1, 1300), (2, 460), (3, 64)]}
inner = {
    "idemix": plain[1], "x509": plain[2], "idemixnym": plain[3],
    "multisig": typed(5, seq(octets(plain[2]), octets(plain[3]))),
    "policy": typed(6, seq(tlv(12, b"$0 OR $1"), seq(octets(plain[1]), octets(plain[2])))),
}
answers = []
for i, (name, id) in enumerate(inner.items()):
    salt = bytes(range(i, i + 16))
    owner = hashlib.sha256(lp(b"zkatdlog-nogh/hashed-owner") + lp(pd) + salt + lp(id)).digest()
    answers.append({
        "name": name, "pd": pd.hex(), "salt": salt.hex(), "inner": id.hex(), "owner": typed(7, owner).hex(),
        "shows": seq(octets(salt), octets(id), integer(0), octets(b"signature")).hex(),
        "refers": seq(octets(salt), octets(b""), integer(200), octets(b"signature")).hex(),
        "info": seq(octets(salt), octets(id), octets(b"info")).hex(),
    })
print(json.dumps(answers, indent=1))
