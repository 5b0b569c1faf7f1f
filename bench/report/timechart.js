// Charts over time: drag or + and - to zoom, double-click or 0 for all of it.
const charts = [];
for (const host of document.querySelectorAll(".timechart")) {
  const chart = JSON.parse(host.querySelector("script").textContent);
  const ink = name => () => getComputedStyle(host).getPropertyValue(name).trim();
  const text = v => v == null ? "–" : String(Number(v.toPrecision(4)));
  const axis = {stroke: ink("--text"), grid: {stroke: ink("--line"), width: 1}, ticks: {stroke: ink("--line"), width: 1}, font: "11px system-ui, sans-serif"};
  const bands = (u, draw) => {
    const {left, width} = u.bbox, edge = x => Math.min(left + width, Math.max(left, u.valToPos(x, "x", true)));
    u.ctx.save();
    chart.stages.forEach((s, i) => draw(s, i, edge(s.from), edge(s.till) - edge(s.from)));
    u.ctx.restore();
  };
  const marks = s => s.axis.log ? {filter: (u, splits) => splits.map(v => (s.axis.high/s.axis.low > 1e4 ? /^1e/ : /^[125]e/).test(v.toExponential()) ? v : null)} : {};
  const u = new uPlot({
    width: host.clientWidth, height: 230,
    scales: {x: {time: false}, ...Object.fromEntries(chart.series.map(s => [s.unit, {distr: s.axis.log ? 3 : 1, range: () => [s.axis.low, s.axis.high]}]))},
    hooks: {
      drawClear: [u => bands(u, (s, i, from, wide) => {
        u.ctx.fillStyle = ink(i % 2 ? "--band-1" : "--band-0")();
        u.ctx.fillRect(from, u.bbox.top, wide, u.bbox.height);
      })],
      draw: [u => bands(u, (s, i, from, wide) => {
        u.ctx.font = 11*devicePixelRatio + "px system-ui, sans-serif";
        u.ctx.textAlign = "left";
        u.ctx.fillStyle = ink("--faint")();
        if (u.ctx.measureText(s.name).width + 6 < wide) u.ctx.fillText(s.name, from + 3, u.bbox.top + 9*devicePixelRatio);
      })],
    },
    cursor: {drag: {x: true, y: false}},
    axes: [{...axis, label: "seconds", labelSize: 16}, ...chart.series.map((s, i) => ({...axis, scale: s.unit, side: i ? 1 : 3, label: s.unit, labelSize: 16, size: 54, grid: i ? {show: false} : axis.grid, ...marks(s)}))],
    series: [{label: "from", value: (u, v) => v == null ? "–" : text(v) + " s"},
      ...chart.series.map(s => ({label: s.name, scale: s.unit, stroke: ink(s.ink), width: 1.5, value: (u, v) => text(v) + " " + s.unit, points: {show: false}}))],
  }, chart.data, host);
  charts.push(u);
  const whole = () => u.setScale("x", {min: 0, max: chart.length});
  whole();
  u.over.addEventListener("dblclick", whole);
  const zoom = factor => {
    const {min, max} = u.scales.x, middle = u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : (min + max)/2;
    u.setScale("x", {min: Math.max(0, middle - (middle - min)*factor), max: Math.min(chart.length, middle + (max - middle)*factor)});
  };
  host.addEventListener("keydown", e => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
    if (step) {
      const last = u.cursor.idx ?? (step > 0 ? -1 : chart.data[0].length);
      const next = Math.min(chart.data[0].length - 1, Math.max(0, last + step));
      u.setCursor({left: u.valToPos(chart.data[0][next], "x"), top: 20});
    } else if (e.key === "+") zoom(0.5);
    else if (e.key === "-") zoom(2);
    else if (e.key === "0") whole();
    else return;
    e.preventDefault();
  });
  new ResizeObserver(() => { if (host.clientWidth && host.clientWidth !== u.width) u.setSize({width: host.clientWidth, height: 230}); }).observe(host);
}
const redraw = () => charts.forEach(u => u.redraw(false, true));
for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", redraw);
// Canvases do not follow the width of the paper, so charts get it before printing.
addEventListener("beforeprint", () => charts.forEach(u => u.setSize({width: Math.min(u.width, 660), height: 200})));
addEventListener("afterprint", () => charts.forEach(u => u.setSize({width: u.root.parentElement.clientWidth, height: 230})));
