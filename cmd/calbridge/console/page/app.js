// The console's page: it reads status.json once a minute and a stream of figures, and draws
// them. Texts go into the document as text only.

const byID = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

function drawing(name, attributes) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}

function number(n, digits) {
  if (n === null || n === undefined) return "–";
  digits ??= n !== 0 && Math.abs(n) < 0.1 ? 3 : n !== 0 && Math.abs(n) < 10 ? 2 : Math.abs(n) < 100 ? 1 : 0;
  return n.toLocaleString("en", { maximumFractionDigits: digits });
}

const bytes = (n) => n >= 2 ** 30 ? `${number(n / 2 ** 30)} GiB` : n >= 2 ** 20 ? `${number(n / 2 ** 20)} MiB` : `${number(n / 1024)} KiB`;
const ms = (n) => `${number(n)} ms`;
const clock = (at) => new Date(at).toLocaleTimeString("en-GB");
const route = (r) => r === "none" || r === "" ? "(no route)" : r;
const plain = (v) => typeof v === "string" ? v : JSON.stringify(v);

// The columns of each table: heading, value of a row, whether it is a number.
const columns = {
  sites: [["Site", (r) => r.name], ["Address", (r) => r.address], ["Mode", (r) => r.mode], ["State", (r) => r.state], ["A second", (r) => number(r.per_second), 1], ["p99", (r) => r.per_second ? ms(r.p99_ms) : "–", 1], ["From memory", (r) => r.hits < 0 ? "–" : `${number(100 * r.hits, 0)} %`, 1], ["5xx a second", (r) => number(r.failed_per_second), 1], ["Since the start", (r) => number(r.total, 0), 1], ["Caches", (r) => r.bytes ? bytes(r.bytes) : "–", 1], ["Why it is not served", (r) => r.why]],
  routes: [["Route", (r) => route(r.route)], ["A second", (r) => number(r.per_second), 1], ["p50", (r) => ms(r.p50_ms), 1], ["p99", (r) => ms(r.p99_ms), 1], ["5xx a second", (r) => number(r.failed_per_second), 1], ["Since the start", (r) => number(r.total, 0), 1]],
  sources: [["Response cache", (r) => r.name], ["Meaning", (r) => meanings.sources[r.name] ?? ""], ["A second", (r) => number(r.per_second), 1], ["Since the start", (r) => number(r.total, 0), 1]],
  slowest: [["When", (r) => clock(r.at)], ["Method", (r) => r.method], ["Route", (r) => route(r.route)], ["Status", (r) => r.status, 1], ["Time", (r) => ms(r.ms), 1], ["Queries", (r) => r.queries, 1], ["Cache", (r) => r.cache], ["Bytes", (r) => number(r.bytes, 0), 1]],
  database: [["Server", (r) => r.name], ["In use", (r) => r.in_use ? "yes" : "no"], ["Statements a second", (r) => number(r.per_second), 1], ["Waiting, ms a second", (r) => number(r.waited_ms_per_second), 1], ["Connections busy / open", (r) => `${r.busy} / ${r.open}`, 1], ["Lag", (r) => r.lag_s < 0 ? "unknown" : `${number(r.lag_s)} s`, 1]],
  upstream: [["Outcome", (r) => r.name], ["Meaning", (r) => meanings.upstream[r.name] ?? ""], ["A second", (r) => number(r.per_second), 1], ["Since the start", (r) => number(r.total, 0), 1]],
  compared: [["Route", (r) => route(r.route)], ["Outcome", (r) => r.outcome ?? ""], ["Kind of difference", (r) => r.kind ?? ""], ["How often", (r) => number(r.total, 0), 1]],
  fields: [["Route", (r) => route(r.route)], ["Part", (r) => r.part], ["Field", (r) => r.name], ["Kind of difference", (r) => r.kind], ["Answers", (r) => number(r.total, 0), 1], ["Last", (r) => clock(r.last)]],
  answers: [["Who", (r) => r.by], ["Why", (r) => r.why || "proven"], ["A second", (r) => number(r.per_second), 1], ["Since the start", (r) => number(r.total, 0), 1]],
  kinds: [["Route", (r) => route(r.route)], ["Arguments", (r) => r.arguments], ["Language", (r) => r.language], ["Answer", (r) => [r.answer, r.composed ? "with WordPress's objects" : "", r.site].filter(Boolean).join(", ")], ["State", (r) => r.kept ? `${r.state}, proven before, one more identical answer proves it again` : r.state], ["Identical", (r) => number(r.identical, 0), 1], ["Answered natively", (r) => number(r.natives, 0), 1], ["Differences", (r) => number(r.differences, 0), 1], ["Differs in", (r) => r.fields.join(", ")], ["Likely because of", (r) => r.likely_causes.join(", ")]],
  rules: [["Learned", (r) => r.what], ["Header or route", (r) => r.name], ["Entries", (r) => r.entries ? number(r.entries, 0) : "", 1]],
  endings: [["What", (r) => r.name], ["How often", (r) => number(r.count, 0), 1]],
  facts: [["Fact", (r) => r.name], ["Value", (r) => plain(r.value)], ["Known from", (r) => r.source], ["About", (r) => r.about]],
  defaults: [["Setting", (r) => `--${r.name}`], ["Default", (r) => r.value], ["Group", (r) => r.group]],
  settings: [["Setting", (r) => `--${r.name}`], ["Value", (r) => r.value], ["From", (r) => r.source], ["Group", (r) => r.group]],
};

// What the labels mean.
const meanings = {
  sources: { hit: "from the response cache", miss: "made now, and cached", bypass: "made for this client: with credentials, for example", off: "there is no response cache" },
  upstream: {
    answered: "WordPress responded", failed: "WordPress responded with 5xx", away: "no connection to WordPress, or it broke", slow: "WordPress took longer than --upstream-timeout",
    gone: "the client closed the connection first", toolarge: "the request or the response was too large", badbody: "the client's body was malformed or broke off",
  },
};

// Why a table may be empty, and what fills it.
const empty = {
  sites: "No site that was asked for has this text.",
  routes: "No request yet. Open the API in a browser, or send one with curl.",
  sources: "No request yet.",
  slowest: "No request in the last hour.",
  upstream: "No request to WordPress yet.",
  compared: "Nothing was compared. The modes diff-native, diff-proxy and auto compare responses with WordPress's.",
  fields: "No field has differed.",
  facts: "Facts come from a WordPress site. The demo has none.",
  settings: "No setting has this text.",
  kinds: "No request yet.", answers: "No request yet.", rules: "Nothing was learned yet.", endings: "No proof has ended.",
};

// table draws rows; a table without rows says why.
function table(name, rows) {
  const t = document.querySelector(`table[data-rows=${name}]`);
  const head = element("tr"), body = element("tbody");
  for (const [title, , isNumber] of columns[name]) head.append(element("th", { scope: "col", class: isNumber ? "number" : "" }, title));
  for (const row of rows ?? []) {
    const tr = element("tr");
    for (const [, value, isNumber] of columns[name]) tr.append(element("td", { class: isNumber ? "number" : "" }, String(value(row))));
    body.append(tr);
  }
  if (!body.children.length) body.append(element("tr", {}, element("td", { colspan: columns[name].length }, empty[name] ?? "nothing yet")));
  t.replaceChildren(element("thead", {}, head), body);
}

const tile = ([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value));

let database = "";

function tiles(now) {
  const feed = /^sqlite/i.test(database) ? "not needed" : now.cache.enabled ? now.cache.followed ? `follows, ${number(now.cache.transactions_per_second)}/s` : "not followed" : "no cache";
  const memory = now.sources.reduce((sum, s) => sum + s.per_second, 0);
  const hits = now.sources.find((s) => s.name === "hit")?.per_second ?? 0;
  const list = [
    ["Requests a second", number(now.requests.per_second)], ["In flight", number(now.requests.in_flight, 0)],
    ["Response time, p50", ms(now.requests.p50_ms)], ["Response time, p99", ms(now.requests.p99_ms)],
    ["From memory", memory ? `${number(100 * hits / memory, 0)} %` : "–"], ["5xx a second", number(now.requests.failed_per_second)],
    ["Turned away a second", number(now.requests.rejected_per_second)], ["Cached responses", number(now.cache.answers, 0)], ["Caches", bytes(now.cache.bytes)], ["Search index", now.cache.search_bytes ? bytes(now.cache.search_bytes) : "none"],
    ["Dates in the index", now.cache.loaded > 0 && now.cache.loaded < 1 ? `loading, ${number(100 * now.cache.loaded, 0)} %` : number(now.cache.events, 0)], ["Change feed", feed], ["Change feed delay, p99", ms(now.cache.delay_p99_ms)],
    ["Process memory", bytes(now.process.memory)], ["Processor", `${number(now.process.cpu)} cores`], ["Up", uptime(now)],
  ];
  byID("tiles").replaceChildren(...list.map(tile));
}

// proof shows what mode auto has proved; p is undefined in other modes.
function proof(p, at) {
  byID("proof").hidden = byID("to-proof").hidden = !p;
  if (!p) return;
  const held = p.held ? `Nothing is answered natively now: ${p.held}.` : "";
  if (byID("held").textContent !== held) byID("held").textContent = held;
  const seconds = (Date.parse(at) - Date.parse(p.compared)) / 1000;
  const list = [
    ["Answered natively", `${number(100 * p.native, 1)} %`], ...p.states.map((s) => [`Kinds ${s.name}`, number(s.count, 0)]),
    ["Posts and terms seen", number(p.seen, 0)], ["Closed ones", number(p.closed, 0)],
    ...(p.fragments ? [["Objects as WordPress renders them", number(p.fragments.held, 0)], ["Answers of them", number(p.fragments.hits, 0)]] : []), ["Last comparison", p.compared ? `${number(Math.max(0, seconds), 0)} s ago` : "none yet"],
  ];
  byID("proof-tiles").replaceChildren(...list.map(tile));
  for (const name of ["answers", "kinds", "rules", "endings"]) table(name, p[name]);
  byID("more").textContent = p.more ? `and ${p.more} more: see calbridge proof` : "";
  byID("page-cap").textContent = `Pages have up to ${p.page_cap} entries where no other cap was learned.`;
  byID("changed-facts").textContent = p.changed_facts.length ? `Facts that changed last: ${p.changed_facts.join(", ")}.` : "";
}

function uptime(now) {
  const minutes = Math.max(0, Math.round((Date.parse(now.at) / 1000 - now.process.started) / 60));
  return minutes < 120 ? `${minutes} min` : minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

function show(now) {
  if (!now) return;
  tiles(now);
  for (const name of ["routes", "sources", "database", "upstream", "compared", "fields"]) table(name, now[name]);
  proof(now.proof, now.at);
  byID("mode").textContent = now.mode === "native" && !now.upstream.some((u) => u.total > 0) ? "In mode native, calbridge answers by itself and asks WordPress nothing. --mode and --upstream change that." : now.mode ? `Mode: ${now.mode}` : "";
  for (const part of document.querySelectorAll("#wordpress > :not(h2, #mode)")) part.hidden = now.mode === "native" && !now.upstream.some((u) => u.total > 0);
}

let plots = [], hour = [], day = [], pointed = null;

// round returns the least of 1, 2 and 5 times a power of ten that is not below n: the top of an axis.
function round(n) {
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].map((m) => m * power).find((m) => m >= n * (1 - 1e-9));
}

// shown returns the points of the chosen range. A process that is younger fills the width too.
function shown() {
  const range = Number(byID("range").value), list = range <= 3600 ? hour : [...day, ...hour.slice(-1)];
  const last = list.at(-1)?.at ?? 0;
  return list.filter((p) => p.at >= last - range);
}

const moment = (at, range) => new Date(at * 1000).toLocaleTimeString("en-GB", range > 900 ? { hour: "2-digit", minute: "2-digit" } : {});

function drawPlots() {
  const list = shown();
  byID("plots").replaceChildren(...plots.map((plot, i) => drawPlot(plot, list, i)));
  if (list.length < 2) byID("plots").prepend(element("p", {}, "The first points come after some seconds."));
}

function drawPlot(plot, list, i) {
  const values = list.map((p) => p.values[i]), from = list[0]?.at ?? 0, span = Math.max(1, (list.at(-1)?.at ?? 0) - from);
  const most = Math.max(...values, 0), top = most > 0 ? round(most) : 1, last = values.at(-1) ?? 0;
  const x = (p) => (300 * (p.at - from) / span).toFixed(2), y = (v) => (100 - 100 * v / top).toFixed(2);
  const svg = drawing("svg", { viewBox: "0 0 300 100", preserveAspectRatio: "none", role: "img", "aria-label": `${plot.title}: now ${number(last)}, at most ${number(most)} ${plot.unit}` });
  for (const share of [0, 0.5, 1]) svg.append(drawing("path", { class: "grid", d: `M0,${y(top * share)} H300` }));
  if (list.length > 1) {
    const line = list.map((p, n) => `${x(p)},${y(values[n])}`).join(" L");
    svg.append(drawing("path", { class: "area", d: `M0,100 L${line} L300,100 Z` }), drawing("path", { class: "line", d: `M${line}` }));
  }
  const cursor = drawing("path", { class: "cursor", d: "" }), figure = element("b");
  svg.append(cursor);
  const now = `${number(last)} · max ${number(most)}`;
  figure.textContent = now;
  const point = (p) => {
    cursor.setAttribute("d", p ? `M${x(p)},0 V100` : "");
    figure.textContent = p ? `${new Date(p.at * 1000).toLocaleTimeString("en-GB")}: ${number(p.values[i])}` : now;
  };
  svg.addEventListener("pointermove", (e) => {
    const box = svg.getBoundingClientRect(), at = from + span * (e.clientX - box.left) / box.width;
    pointed = list.reduce((near, p) => Math.abs(p.at - at) < Math.abs(near.at - at) ? p : near, list[0]).at;
    point(list.find((p) => p.at === pointed));
  });
  svg.addEventListener("pointerleave", () => { pointed = null; point(null); });
  const times = [0, 0.5, 1].map((share) => element("span", {}, list.length > 1 ? moment(from + span * share, span) : ""));
  const figures = [top, top / 2, 0].map((v) => element("span", {}, number(v)));
  return element("figure", {}, element("figcaption", {}, element("span", {}, `${plot.title}, ${plot.unit}`), figure),
    element("div", { class: "plot" }, element("div", { class: "y", "aria-hidden": "true" }, ...figures), svg), element("div", { class: "x", "aria-hidden": "true" }, ...times));
}

let several = false, asking = false;

// sites shows the sites with the most requests of those that the filter's text selects.
async function sites() {
  if (!several || asking) return;
  asking = true;
  try {
    const text = byID("sites-filter").value, response = await fetch(`sites.json?${new URLSearchParams({ filter: text })}`);
    if (!response.ok) return;
    const all = await response.json();
    table("sites", all.shown);
    byID("sites-count").textContent = `${number(all.shown.length, 0)} of ${number(all.asked, 0)} sites that were asked for since the start`;
    if (text !== byID("sites-filter").value) setTimeout(sites);
  } finally {
    asking = false;
  }
}

let settings = [];

// showSettings shows the settings with the filter's text. Those that have their default are folded
// in, unless a text is looked for.
function showSettings() {
  const text = byID("filter").value.toLowerCase(), found = settings.filter((s) => `${s.name} ${s.value} ${s.source} ${s.group}`.toLowerCase().includes(text));
  const folded = (s) => s.default && !text;
  table("settings", found.filter((s) => !folded(s)));
  table("defaults", found.filter(folded));
  byID("defaults").hidden = text !== "";
  byID("defaults-count").textContent = found.filter(folded).length;
}

async function load() {
  const response = await fetch("status.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  const status = await response.json();
  const about = status.about;
  byID("site").textContent = [about.site, about.namespace, about.database, about.build].filter(Boolean).join(" · ");
  several = status.several;
  byID("sites").hidden = byID("to-sites").hidden = !several;
  plots = status.plots;
  hour = status.hour;
  day = status.day;
  database = about.database;
  drawPlots();
  show(status.now);
  table("slowest", status.slowest);
  table("facts", Object.entries(about.facts ?? {}).map(([name, fact]) => ({ name, ...fact })));
  settings = about.settings;
  showSettings();
  const order = { fail: 0, warn: 1, ok: 2 };
  const findings = [...(about.findings ?? [])].sort((a, b) => order[a.status] - order[b.status]);
  byID("findings").replaceChildren(...findings.map((f) => {
    const item = element("li", {}, element("b", { class: f.status }, f.status), ` ${f.name}: ${f.found}`);
    if (f.advice && f.status !== "ok") item.append(element("p", {}, f.advice));
    return item;
  }));
  if (!findings.length) byID("findings").append(element("li", {}, "There are no findings. `calbridge serve` checks its site at the start; the demo has no site to check."));
}

function listen() {
  const state = byID("state");
  const stream = new EventSource("stream");
  stream.addEventListener("open", () => { state.textContent = "live"; state.className = "ok"; });
  stream.addEventListener("error", () => { state.textContent = "no connection; trying again"; state.className = "fail"; });
  stream.addEventListener("now", (e) => show(JSON.parse(e.data)));
  stream.addEventListener("point", (e) => {
    hour = [...hour, JSON.parse(e.data)].slice(-360);
    if (pointed === null) drawPlots(); // else the value that somebody looks at would go
  });
  stream.addEventListener("day", (e) => { day = [...day, JSON.parse(e.data)].slice(-360); });
}

byID("sites-filter").addEventListener("input", () => sites().catch(() => {}));
byID("filter").addEventListener("input", showSettings);
byID("range").addEventListener("change", drawPlots);
await load().catch((error) => { byID("state").textContent = `cannot be read: ${error.message}`; });
listen();
await sites().catch(() => {});
setInterval(() => sites().catch(() => {}), 2_000);
setInterval(() => load().catch(() => {}), 60_000); // the stream shows that the server is away
