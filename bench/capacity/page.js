"use strict";
// The page: settings are read from the form, plans are computed by arithmetic.js,
// tables and charts are drawn anew.
const plan = JSON.parse(document.getElementById("plan").textContent);
const form = document.getElementById("settings"), requests = 20000, chartRequests = 4000;
const marks = ["●", "■", "▲", "○", "□", "△", "✕", "✚"], ns = "http://www.w3.org/2000/svg";

// settings returns the settings of the form, or the reason why they are not
// allowed.
function settings() {
  const v = name => Number(form.elements[name].value), s = {...plan.settings, audited: form.elements.audited.checked};
  for (const name of ["rate", "peak", "endorsers", "of", "cores", "batch"]) s[name] = v(name);
  s.utilisation = v("utilisation")/100;
  s.p99_ns = v("p99")*1e6;
  s.mix = s.mix.map(m => ({action: m.action, share: v("mix-" + m.action)/100}));
  const whole = n => Number.isInteger(n) && n >= 1;
  const rules = [
    [s.rate > 0 && s.rate <= 1e7, "requests a second must be above 0, at most 1e7"], [s.peak >= s.rate && s.peak <= 1e7, "the peak must be at least the average rate, at most 1e7"],
    [s.mix.every(m => m.share >= 0) && Math.abs(s.mix.reduce((a, m) => a + m.share, 0) - 1) < 1e-9, "the shares of actions must sum to 100 %"],
    [whole(s.of) && s.of <= 1000 && whole(s.endorsers) && s.endorsers <= s.of, "the endorsers of a request must be a number from 1 to all endorsers"],
    [s.utilisation > 0 && s.utilisation < 1, "utilisation must be between 0 and 100 %"], [s.p99_ns > 0, "P99 must be above 0"],
    [whole(s.cores) && s.cores <= 1000, "cores must be a number from 1 to 1000"], [whole(s.batch) && s.batch <= 64, "a batch must be a number from 1 to 64"],
  ];
  return {s, wrong: rules.find(r => !r[0])?.[1]};
}

const ms = seconds => { const v = seconds*1e3; return v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v >= 0.1 ? v.toFixed(2) : v.toFixed(4); };
const bytes = b => { let u = 0; for (; Math.abs(b) >= 1000 && u < 5; u++) b /= 1000; return Number(b.toPrecision(3)) + " " + ["B", "kB", "MB", "GB", "TB", "PB"][u]; };
const percent = v => Number((100*v).toPrecision(2)) + " %";
const total = z => z.nodes*z.cores_per_node;

// fill writes a table: the first row is its head.
function fill(id, rows) {
  const table = document.createElement("table");
  rows.forEach((row, i) => {
    const tr = (i ? table.tBodies[0] ?? table.createTBody() : table.createTHead()).insertRow();
    for (const text of row) {
      const cell = tr.appendChild(document.createElement(i ? "td" : "th"));
      cell.textContent = text;
    }
  });
  document.getElementById(id).replaceChildren(table);
}

// round returns about n round values from 0 to high.
function round(high, n) {
  const raw = high/n, power = 10**Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find(k => k*power >= raw)*power, all = [];
  for (let v = 0; v <= high*1.0001; v += step) all.push(v);
  return all;
}

// chart draws lines with a mark at each point.
function chart(id, x, y, series) {
  const svg = document.createElementNS(ns, "svg"), wide = 640, high = 270, left = 58, bottom = 40, top = 12, right = 12;
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${y.name} over ${x.name}`);
  const add = (kind, attributes, text) => {
    const e = document.createElementNS(ns, kind);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return svg.appendChild(e);
  };
  const xs = series.flatMap(s => s.points.map(p => p[0])), ys = series.flatMap(s => s.points.map(p => p[1])).filter(v => v <= (y.most ?? Infinity));
  const maxX = Math.max(...xs, 1e-9), maxY = Math.max(...ys, 1e-9)*1.05;
  const px = v => left + (wide - left - right)*v/maxX, py = v => high - bottom - (high - bottom - top)*v/maxY;
  const label = {"font-size": 11};
  for (const v of round(maxX, 6)) {
    add("path", {d: `M${px(v)} ${top}V${high - bottom}`, stroke: "var(--line)"});
    add("text", {x: px(v), y: high - bottom + 15, "text-anchor": "middle", ...label}, x.text(v));
  }
  for (const v of round(maxY, 5)) {
    add("path", {d: `M${left} ${py(v)}H${wide - right}`, stroke: "var(--line)"});
    add("text", {x: left - 5, y: py(v) + 4, "text-anchor": "end", ...label}, y.text(v));
  }
  add("text", {x: (left + wide - right)/2, y: high - 6, "text-anchor": "middle", ...label}, x.name);
  add("text", {x: 12, y: (top + high - bottom)/2, "text-anchor": "middle", transform: `rotate(-90 12 ${(top + high - bottom)/2})`, ...label}, y.name);
  series.forEach((s, i) => {
    const seen = s.points.filter(p => p[1] <= maxY), ink = `var(--s${i % 8})`;
    add("path", {d: "M" + seen.map(p => `${px(p[0]).toFixed(1)} ${py(p[1]).toFixed(1)}`).join("L"), fill: "none", stroke: ink, "stroke-width": 1.6});
    seen.forEach((p, k) => {
      if ((k + i) % 3) return;
      const mark = add("text", {x: px(p[0]), y: py(p[1]) + 3.5, "text-anchor": "middle", "font-size": 10, style: `fill:${ink}`}, marks[i % 8]);
      mark.dataset.hint = `${s.name}: ${y.text(p[1])} at ${x.text(p[0])}`;
      mark.appendChild(document.createElementNS(ns, "title")).textContent = mark.dataset.hint;
    });
  });
  const legend = document.createElement("p");
  legend.className = "legend";
  series.forEach((s, i) => {
    const item = legend.appendChild(document.createElement("span")), mark = item.appendChild(document.createElement("b"));
    mark.className = `ink-${i % 8}`;
    mark.textContent = marks[i % 8];
    item.append(" " + s.name);
  });
  const picture = document.createElement("div");
  picture.className = "chart";
  picture.append(svg);
  document.getElementById(id).replaceChildren(legend, picture);
  fill(id + "-table", [[x.name, ...series.map(s => s.name)], ...series[0].points.map((p, k) => [x.text(p[0]), ...series.map(s => y.text(s.points[k][1]))])]);
}

const steps = (n, high, f) => Array.from({length: n}, (_, i) => [high*(i + 1)/n, f(high*(i + 1)/n)]);

// update computes all tables and charts for the settings of the form.
function update() {
  const {s, wrong} = settings(), message = document.getElementById("wrong");
  message.textContent = wrong ? "Not computed: " + wrong + "." : "";
  if (wrong) return;
  const plans = plan.choices.map(c => planOf(c.model, s, requests));
  const able = plans.map((p, i) => i).filter(i => plans[i].meets && plan.choices[i].protects_value);
  const weight = i => plans[i].cores + (plans[i].bytes.chain_per_request + plans[i].bytes.state_per_request)/1e9;
  const least = of => of.reduce((a, b) => a < 0 || weight(b) < weight(a) ? b : a, -1);
  const cheapest = least(able), unwarned = least(able.filter(i => !plan.choices[i].warning));
  const kept = s.rate*s.retention_ns/1e9;
  fill("choices", [
    ["", "choice", ...plans[0].roles.filter(r => r.wait).map(r => r.name), "all cores", "P99, ms", "wallet/s", "ledger", "pruned"],
    ...plans.map((p, i) => [i === cheapest ? "*" : i === unwarned ? "+" : "", plan.choices[i].name,
      ...p.roles.filter(r => r.wait).map(r => `${r.parties} × ${total(r.peak)}`), p.cores,
      ms(p.roles.find(r => r.wait).wait.slowest_p99) + (p.meets ? "" : " !"), (1/p.roles[0].seconds).toFixed(0),
      bytes(kept*(p.bytes.chain_per_request + p.bytes.state_per_request)), bytes(kept*(p.bytes.chain_per_request + p.bytes.pruned_per_request))]),
  ]);
  const at = Number(document.getElementById("choice").value), shown = plans[at];
  fill("roles", [
    ["role", "ms a request", "requests/s and core", "cores average", "cores peak", "nodes", "utilisation", "P50, ms", "P99, ms", "P99.9, ms"],
    ...shown.roles.filter(r => r.parties).map(r => {
      const several = r.parties > 1 ? r.parties + " × " : "", w = r.wait;
      return [r.name, ms(r.seconds), (1/r.seconds).toFixed(0), several + total(r.average), several + total(r.peak),
        `${several}${r.peak.nodes} × ${r.peak.cores_per_node}`, percent(r.peak.utilisation), w ? ms(w.p50) : "", w ? ms(w.p99) : "", w ? ms(w.p999) : ""];
    }),
  ]);
  const named = f => plan.choices.map((c, i) => ({name: c.name, points: f(c, i)}));
  const queued = c => c.model.roles.filter(r => (r.parties === "endorsers" || r.parties === "auditor") && parties(r, s));
  const plain = v => String(Number(v.toPrecision(3)));
  chart("cores", {name: "requests a second", text: plain}, {name: "cores", text: plain}, named(c => steps(24, 2*s.peak, rate =>
    queued(c).reduce((sum, r) => sum + parties(r, s)*total(size(c.model.scale, r, s, rate*share(r, s))), 0))));
  chart("waiting", {name: "utilisation of a node, %", text: v => plain(v)}, {name: "P99, ms", text: plain, most: 4*s.p99_ns/1e6}, named((c, i) => {
    const role = c.model.roles.find(r => r.waits), z = plans[i].roles.find(r => r.name === role.name).peak, rate = s.peak*share(role, s);
    return steps(18, 90, u => [u]).map(([u]) => {
      const q = queueOf(c.model.scale, role, s, rate, z);
      q.rate *= u/100/z.utilisation;
      return [u, 1e3*waitOf(simulate(q, chartRequests, 1), 1).p99];
    });
  }));
  const pruned = document.getElementById("pruned").value === "pruned", days = s.retention_ns/86400e9;
  chart("bytes", {name: "days", text: plain}, {name: "ledger", text: v => bytes(v)}, named((c, i) => steps(12, days, d =>
    d*86400*s.rate*(plans[i].bytes.chain_per_request + plans[i].bytes[pruned ? "pruned_per_request" : "state_per_request"]))));
}

let waiting = 0;
document.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(update, 60); });
form.addEventListener("submit", e => e.preventDefault());
update();
