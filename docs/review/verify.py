#!/usr/bin/env python3
"""A second verifier of zkatdlog-nogh v2, from sections 1 to 9 of its specification.

    verify.py FOLDER...

It derives the generators (generators.py) and compares them with generators-*.json. It verifies
the proofs of positive-*, negative-* and torsion-*.json with them, and compares verdicts,
challenges, l0 and weights. It also verifies the accepted proofs of each bit length as one batch,
alone and with a refused one. Status 1 if anything differs. Only the standard library is used; it
is slow.
"""
import json
import sys
from hashlib import sha256
from pathlib import Path

from generators import generators as derive

NAME = b"zkatdlog-nogh-v2/"


class Curve:
    """y^2 = x^3 + b over p elements, with a subgroup of order q; clear makes nothing of the rest."""

    def __init__(self, name, p, b, q, width, clear):
        self.name, self.p, self.b, self.q, self.width, self.clear = name, p, b, q, width, clear

    def point(self, raw):
        x, y = int.from_bytes(raw[: self.width], "big"), int.from_bytes(raw[self.width :], "big")
        if len(raw) != 2 * self.width or x >= self.p or y >= self.p or (y * y - x**3 - self.b) % self.p:
            raise Refused("encoding")
        return x, y, 1

    # Points are (X, Y, Z) with x = X/Z^2, y = Y/Z^3, and Z = 0 for nothing.
    def double(self, a):
        x, y, z = a
        if z == 0 or y == 0:
            return 1, 1, 0
        p, yy = self.p, y * y % self.p
        s, m = 4 * x * yy % p, 3 * x * x % p
        x3 = (m * m - 2 * s) % p
        return x3, (m * (s - x3) - 8 * yy * yy) % p, 2 * y * z % p

    def add(self, a, c):
        if a[2] == 0 or c[2] == 0:
            return c if a[2] == 0 else a
        p, za, zc = self.p, a[2] * a[2], c[2] * c[2]
        xa, ya = a[0] * zc % p, a[1] * zc * c[2] % p
        h, r = (c[0] * za - xa) % p, (c[1] * za * a[2] - ya) % p
        if h == 0:
            return self.double(a) if r == 0 else (1, 1, 0)
        hh = h * h % p
        x3 = (r * r - h * hh - 2 * xa * hh) % p
        return x3, (r * (xa * hh - x3) - ya * h * hh) % p, a[2] * c[2] * h % p

    def sum(self, terms):
        """The sum of scalar*point, right for every point of the curve."""
        total = (1, 1, 0)
        for bit in reversed(range(self.q.bit_length())):
            total = self.double(total)
            for scalar, point in terms:
                if scalar >> bit & 1:
                    total = self.add(total, point)
        return total

    def nothing(self, a):
        return self.sum([(self.clear, a)])[2] == 0


CURVES = [
    Curve("BN254", 0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47, 3,
          0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001, 32, 1),
    Curve("BLS12_381_BBS_GURVY",
          0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB, 4,
          0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001, 48, 0xD201000000010001),
]


class Refused(Exception):
    """A proof is refused: statement, encoding or equation."""


def be(value, size):
    return value.to_bytes(size, "big")


def prefixed(raw):
    return be(len(raw), 4) + raw


def digest(label, *rest):
    return sha256(prefixed(NAME + label) + b"".join(rest)).digest()


def expand(message, suffix, size):
    """expand_message_xmd of RFC 9380 with SHA-256."""
    domain = NAME + suffix + be(len(NAME + suffix), 1)
    first = sha256(bytes(64) + message + be(size, 2) + b"\0" + domain).digest()
    block, out = bytes(32), b""
    for i in range(1, -(-size // 32) + 1):
        block = sha256(bytes(x ^ y for x, y in zip(first, block)) + be(i, 1) + domain).digest()
        out += block
    return out[:size]


class Claim:
    """One proof, decoded, with its challenges and weights. The indices are those of the specification."""

    def __init__(self, curve, generators, statement, proof):
        self.curve = curve
        self.bits, self.kind, self.public = statement["bits"], statement["kind"], statement["public_type"]
        self.value, self.type = int(statement["public_value"]), int(statement["type"], 16)
        self.tokens = [bytes.fromhex(t) for t in statement["inputs"] + statement["outputs"]]
        self.n, self.m = len(statement["inputs"]), len(statement["outputs"])
        self.nu, self.pi = self.bits // 4, 64 // self.bits
        self.k = -(-self.m // self.pi)
        self.K = 2 * self.k + 3
        self.context = bytes.fromhex(statement["context"])
        self.check_bounds()
        self.decode(proof)
        self.draw(generators)
        self.set_weights()

    def check_bounds(self):
        inputs = 1 <= self.n <= 64 if self.kind == 1 else self.n == 0 and self.value == 0
        if self.kind not in (1, 2) or not inputs or not 1 <= self.m <= 64 or self.k > 16 or len(self.context) > 65536:
            raise Refused("statement")
        if not 0 <= self.value < 1 << 64 or not self.public and self.type != 0:
            raise Refused("statement")
        self.token_points = [self.curve.point(t) for t in self.tokens]

    def decode(self, proof):
        size, k = 2 * self.curve.width, self.k
        start = 1 + (2 * k + 3) * size
        if len(proof) != start + 32 * (4 * k + 22 - self.public) or proof[0] != 2:
            raise Refused("encoding")
        self.raw = [proof[i : i + size] for i in range(1, start, size)]
        points = [self.curve.point(raw) for raw in self.raw]
        self.M, self.D, self.R = points[0], [None] + points[1 : k + 1], [None] + points[k + 1 : 2 * k + 1]
        self.S, self.Q = points[2 * k + 1 :]
        self.responses = proof[start:]
        scalars = [int.from_bytes(self.responses[i : i + 32], "big") for i in range(0, len(self.responses), 32)]
        if max(scalars) >= self.curve.q:
            raise Refused("encoding")
        self.w, self.l, tail = scalars[:16], [None] + scalars[16 : 4 * k + 17], scalars[4 * k + 17 :]
        self.zv, self.zh = tail[:2]
        self.zt = self.type if self.public else tail[2]
        self.qv, self.qr = tail[-2:]

    def draw(self, generators):
        encode = lambda p: be(p[0], self.curve.width) + be(p[1], self.curve.width)
        parameters = digest(b"parameters", prefixed(self.curve.name.encode()), be(self.bits, 2), be(85, 2),
                            *map(encode, generators))
        state = digest(b"statement", parameters, bytes([self.kind, self.public]), be(self.bits, 2), be(self.n, 2),
                       be(self.m, 2), be(self.value, 8), be(self.type, 32), prefixed(self.context), *self.tokens)
        drawn = []
        links = [(b"digits", self.raw[: self.k + 1], 1), (b"reciprocals", self.raw[self.k + 1 : -2], 5),
                 (b"masks", self.raw[-2:], 1), (b"responses", [self.responses], 0)]
        for label, messages, count in links:
            state = digest(label, state, *messages)
            stream = expand(state, b"challenge", 48 * count)
            drawn += [int.from_bytes(stream[i : i + 48], "big") % self.curve.q for i in range(0, 48 * count, 48)]
        self.state, self.challenges = state, drawn
        self.e, self.chi, self.zeta, self.lam, self.y, self.omega, self.x = drawn
        if 0 in drawn[1:] or any((self.e + t) % self.curve.q == 0 for t in range(16)):
            raise Refused("equation")

    def block(self, output):
        return 1 + (output - 1) // self.pi

    def set_weights(self):
        q, k = self.curve.q, self.k
        power = lambda base, n: pow(base, n, q)
        self.X = [power(self.x, i) for i in range(2 * self.K + 1)]
        self.mu = [power(self.chi, i) for i in range(16)]
        self.theta = [None] + [power(self.chi, 16 * (j - 1)) for j in range(1, k + 1)]
        sigma = [power(self.lam, o) * self.theta[self.block(o)] % q for o in range(1, self.m + 1)]
        self.beta = power(self.lam, self.m + 1) if self.kind == 1 else 0
        self.u = [self.beta] * self.n + [s - self.beta for s in sigma]
        self.omegas = [power(self.omega, a) for a in range(1, self.n + self.m + 1)]
        self.Lambda, self.Omega = sum(sigma) + self.beta * (self.n - self.m), sum(self.omegas)
        self.kappa = 2 * sum(power(self.chi, i) for i in range(16 * k))

    def slot(self, E):
        return E - 3 if E < self.K else E - 4

    def form_at_x(self, i):
        """a_i(x), by the definition of the forms."""
        q, total = self.curve.q, -self.x * self.zeta * pow(self.e + i, -1, self.curve.q)
        for j in range(1, self.k + 1):
            output = (j - 1) * self.pi + i // self.nu + 1
            if output <= self.m:
                total += self.X[1 + j] * pow(self.lam, output, q) * 16 ** (i % self.nu)
            total += self.X[self.K - 1 - j] * (2 * self.e * self.theta[j] * self.mu[i] + self.zeta)
        return total % q

    def solve(self):
        """l_0, from the field equation."""
        K = self.K
        phi = sum(w * (self.mu[i] * w + self.form_at_x(i)) for i, w in enumerate(self.w)) - self.kappa * self.X[K]
        errors = sum(self.X[E - 3] * self.l[self.slot(E)] for E in range(4, 2 * K) if E != K)
        self.l[0] = -(self.y * self.X[K - 3] * (phi - self.X[K] * self.zv) + errors) % self.curve.q

    def terms(self, A, B, generators):
        """A*(right - left of main) + B*(right - left of type)."""
        K, X = self.K, self.X
        left = [((A * self.Lambda + B * self.Omega) * self.zt), A * (self.zv + self.beta * self.value) + B * self.qv,
                A * self.zh + B * self.qr] + [A * s for s in self.w + self.l]
        yield from ((-s, g) for s, g in zip(left, generators))
        yield from ((A * u + B * o, t) for u, o, t in zip(self.u, self.omegas, self.token_points))
        yield from ((A * X[K - 1], self.M), (A * X[K], self.S), (B * X[K], self.Q))
        for j in range(1, self.k + 1):
            yield A * self.theta[j] * X[K - 1 - j], self.D[j]
            yield A * X[1 + j], self.R[j]


def weights(claims):
    seed = digest(b"batch", be(len(claims), 4), *(c.state for c in claims))
    for b in range(len(claims)):
        stream = expand(seed + be(b, 4), b"weight", 48)
        yield int.from_bytes(stream[:24], "big"), int.from_bytes(stream[24:], "big")


def verify(curve, generators, proofs):
    """Verifies (statement, proof) pairs with equal parameters as one batch."""
    claims = [Claim(curve, generators, statement, proof) for statement, proof in proofs]
    terms = []
    for claim, (A, B) in zip(claims, weights(claims)):
        claim.solve()
        terms += [(s % curve.q, point) for s, point in claim.terms(A, B, generators)]
    if not curve.nothing(curve.sum(terms)):
        raise Refused("equation")
    return claims


def verdict(curve, generators, proofs):
    try:
        verify(curve, generators, proofs)
    except Refused as refused:
        return str(refused)
    return ""


def pair(vector):
    return vector["statement"], bytes.fromhex(vector["proof"])


def compare(curve, generators, folder):
    """The number of vectors of a folder that agree, and the names of the others."""
    load = lambda kind: json.loads(path.read_text()) if (path := folder / f"{kind}-{curve.name}.json").exists() else []
    agreed, different = 0, []

    def expect(name, holds):
        nonlocal agreed
        agreed += holds
        if not holds:
            different.append(name)

    positive, negative = load("positive"), load("negative")
    if recorded := load("generators"):
        expect("generators", [curve.point(bytes.fromhex(g)) for g in recorded] == generators)
    for v in positive:
        try:
            claim, = verify(curve, generators, [pair(v)])
        except Refused:
            expect(v["name"], False)
            continue
        names = ["e", "chi", "zeta", "lambda", "y", "omega", "x"]
        (A, B), = weights([claim])
        expect(v["name"], [int(v["challenges"][c], 16) for c in names] == claim.challenges and int(v["l0"], 16) == claim.l[0]
               and [int(w, 16) for w in v["weights_of_a_batch_of_one"]] == [A, B])
    for v in negative + load("torsion"):
        expect(v["name"], verdict(curve, generators, [pair(v)]) == v["reason"])
    for bits in (16, 32, 64):
        same = lambda vectors: [pair(v) for v in vectors if v["statement"]["bits"] == bits]
        good, bad = same(positive), same(v for v in negative if v["reason"] == "equation")
        if good:
            expect(f"batch of {bits} bits", verdict(curve, generators, good) == "")
        if good and bad:
            expect(f"batch of {bits} bits with a refused proof", verdict(curve, generators, good + bad[-1:]) == "equation")
    return agreed, different


def main(folders):
    failed = not folders
    derived = [(curve, derive(curve)) for curve in CURVES]
    for folder in map(Path, folders):
        for curve, generators in derived:
            agreed, different = compare(curve, generators, folder)
            print(f"{folder} {curve.name}: {agreed} agree" + "".join(f"\n  DIFFERS {name}" for name in different))
            failed |= agreed == 0 or bool(different)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
