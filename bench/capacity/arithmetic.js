"use strict";
// The arithmetic of plans: model.go, queue.go and random.go in JavaScript. A test
// compares the two on random settings.

// Random is the generator xoshiro128** 1.1 of random.go.
class Random {
  constructor(seed) {
    this.s = [];
    for (let i = 0; i < 4; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      this.s.push(seed);
    }
    for (let i = 0; i < 16; i++) this.next();
  }
  next() {
    const s = this.s, turn = (x, k) => (x << k) | (x >>> (32 - k));
    const result = Math.imul(turn(Math.imul(s[1], 5), 7), 9) >>> 0, t = s[1] << 9;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t;
    s[3] = turn(s[3], 11);
    return result;
  }
  uniform() {
    const high = this.next() >>> 5;
    return (high*2**26 + (this.next() >>> 6) + 1)/2**53;
  }
  exponential() { return -Math.log(this.uniform()); }
  below(n) { return Math.trunc(this.next()/2**32*n); }
}

const warmUp = 0.1, idle = 0.05;

// serve gives work to the earliest of the heap of free servers.
function serve(free, now, work) {
  const end = Math.max(now, free[0]) + work;
  let i = 0;
  for (;;) {
    let child = 2*i + 1;
    if (child >= free.length) break;
    if (child + 1 < free.length && free[child + 1] < free[child]) child++;
    if (free[child] >= end) break;
    free[i] = free[child];
    i = child;
  }
  free[i] = end;
  return end;
}

// simulate returns the seconds from arrival to end of service of n requests.
function simulate(q, n, seed) {
  const r = new Random(seed), free = new Float64Array(q.servers), skip = Math.trunc(n*warmUp), took = new Float64Array(n);
  let next = r.exponential()/q.rate, used = 0;
  for (let done = 0; done < n + skip;) {
    let now = next;
    const pending = [now], latest = now + q.linger;
    next = now + r.exponential()/q.rate;
    while (pending.length < q.batch && next <= latest) {
      now = next;
      pending.push(now);
      next = now + r.exponential()/q.rate;
    }
    if (q.batch > 1 && pending.length < q.batch) now = latest;
    let work = 0;
    for (let i = 0; i < pending.length; i++) {
      let action = 0, x = r.next()/2**32;
      while (action < q.shares.length - 1 && x >= q.shares[action]) x -= q.shares[action++];
      work += q.samples[action][r.below(q.samples[action].length)];
    }
    const end = serve(free, now, work*q.stretch*ratioAt(q.ratios, pending.length));
    for (const at of pending) if (++done > skip && used < n) took[used++] = end - at;
  }
  return took;
}

const rank = (sorted, q) => sorted[Math.min(Math.max(Math.ceil(q*sorted.length*(1 - 1e-12)) - 1, 0), sorted.length - 1)];

function waitOf(took, parties) {
  let sum = 0;
  for (const t of took) sum += t;
  const sorted = took.slice().sort();
  return {p50: rank(sorted, 0.5), p99: rank(sorted, 0.99), p999: rank(sorted, 0.999), slowest_p99: rank(sorted, 0.99**(1/parties)), mean: sum/took.length};
}

function speedUp(scale, n) { return n/(1 + scale.sigma*(n - 1) + scale.kappa*n*(n - 1)); }

function best(scale, k) {
  let at = 1;
  for (let n = 2; n <= k; n++) if (speedUp(scale, n) > speedUp(scale, at)) at = n;
  return at;
}

function ratioAt(ratios, n) {
  if (!ratios.length || n <= ratios[0].n) return 1;
  for (let i = 1; i < ratios.length; i++) {
    const a = ratios[i - 1], b = ratios[i];
    if (n <= b.n) return a.ratio + (b.ratio - a.ratio)*Math.log(n/a.n)/Math.log(b.n/a.n);
  }
  return ratios.at(-1).ratio;
}

const meanOf = role => role.means ??= role.samples.map(of => of.reduce((sum, v) => sum + v/of.length, 0));
const alone = (role, s) => meanOf(role).reduce((sum, v, a) => sum + s.mix[a].share*v, 0);
const share = (role, s) => role.parties === "endorsers" ? s.endorsers/s.of : role.parties === "auditor" && !s.audited ? 0 : 1;
const parties = (role, s) => role.parties === "endorsers" ? s.of : role.parties === "auditor" && !s.audited ? 0 : 1;

function each(role, s, rate) {
  if (s.batch === 1 || !role.ratios.length) return alone(role, s);
  return alone(role, s)*ratioAt(role.ratios, Math.min(s.batch, 1 + rate*s.linger_ns/1e9));
}

function sized(scale, role, s, rate, nodes, cores) {
  const one = each(role, s, rate/nodes);
  return {nodes, cores_per_node: cores, seconds_per_request: one, utilisation: rate/nodes*one/speedUp(scale, cores)};
}

function size(scale, role, s, rate) {
  const most = speedUp(scale, best(scale, s.cores));
  for (let nodes = 1;;) {
    const need = rate/nodes*each(role, s, rate/nodes)/s.utilisation;
    if (need > most) {
      nodes = Math.max(nodes + 1, Math.trunc(nodes*need/most*0.9));
      continue;
    }
    let cores = 1;
    while (speedUp(scale, cores) < need) cores++;
    return sized(scale, role, s, rate, nodes, cores);
  }
}

function queueOf(scale, role, s, rate, z) {
  return {
    rate: rate/z.nodes, servers: z.cores_per_node, stretch: z.cores_per_node/speedUp(scale, z.cores_per_node), samples: role.samples,
    batch: role.ratios.length ? s.batch : 1, linger: s.linger_ns/1e9, ratios: role.ratios, shares: s.mix.map(m => m.share),
  };
}

// fit sizes a party of a role at peak and adds cores until its clients wait no
// longer than the limit; n requests are simulated.
function fit(scale, role, s, n) {
  const rate = s.peak*share(role, s), least = size(scale, role, s, rate), most = best(scale, s.cores);
  const attempt = z => {
    const wait = waitOf(simulate(queueOf(scale, role, s, rate, z), n, 1), role.parties === "endorsers" ? s.endorsers : 1);
    return {size: z, least, wait, meets: !role.waits || wait.slowest_p99 <= s.p99_ns/1e9};
  };
  let f = attempt(least);
  const many = Math.ceil(least.nodes*most*least.utilisation/idle);
  if (f.meets || !attempt(sized(scale, role, s, rate, many, most)).meets) return f;
  for (let z = least; !f.meets && z.nodes < many; f = attempt(z)) {
    let nodes = z.nodes, cores = z.cores_per_node + 1;
    if (cores > most) { nodes++; cores = most; }
    z = sized(scale, role, s, rate, nodes, cores);
  }
  return f;
}

function bytesOf(model, s) {
  const b = {network_per_request: 0, chain_per_request: 0, state_per_request: 0, pruned_per_request: 0, reads_per_request: 0, writes_per_request: 0};
  model.sizes.forEach((z, a) => {
    const part = s.mix[a].share;
    b.network_per_request += part*(z.request*(s.endorsers + 1) + (s.audited ? 1 : 0)*(z.request + z.metadata));
    b.chain_per_request += part*z.request;
    b.state_per_request += part*z.written;
    b.pruned_per_request += part*(z.written - z.removed);
    b.reads_per_request += part*z.reads;
    b.writes_per_request += part*z.writes;
  });
  return b;
}

// planOf is the plan for a choice.
function planOf(model, s, n) {
  const plan = {roles: [], cores: 0, nodes: 0, meets: true, bytes: bytesOf(model, s)};
  for (const role of model.roles) {
    const r = {name: role.name, parties: parties(role, s), seconds: alone(role, s), meets: true};
    plan.roles.push(r);
    if (!r.parties) continue;
    const queued = role.parties === "endorsers" || role.parties === "auditor";
    r.average = size(model.scale, role, s, s.rate*share(role, s));
    if (!queued) {
      r.peak = size(model.scale, role, s, s.peak*share(role, s));
      continue;
    }
    const f = fit(model.scale, role, s, n);
    Object.assign(r, {peak: f.size, wait: f.wait, meets: f.meets});
    plan.meets &&= f.meets;
    plan.cores += r.parties*f.size.nodes*f.size.cores_per_node;
    plan.nodes += r.parties*f.size.nodes;
  }
  return plan;
}
