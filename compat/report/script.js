const data = JSON.parse(document.getElementById("data").textContent);
let details = null;
const $ = (id) => document.getElementById(id);
// el makes an element; texts are always set as texts.
function el(tag, attrs, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(9)) if (child != null && child !== false) node.append(child);
  return node;
}
const ms = (v) => (v ? (v < 10 ? v.toFixed(1) : Math.round(v)) + " ms" : "–");
const state = { tab: "overview", case: "", q: "", cause: "", outcome: "", level: "", route: "", language: "", role: "" };
const outcomes = ["different", "intended", "raced", "headers", "known", "same", "skipped"];
const meaning = { different: "need a decision", intended: "intended", raced: "only times", headers: "only headers", known: "known by the rules", same: "same", skipped: "skipped" };
const tabs = ["overview", "cases", "timing", "coverage", "rules"];
const byID = new Map(data.cases.map((c, i) => [c.id, i]));
// copier is a button that copies a text.
function copier(label, text, what) {
  const button = el("button", { class: "copy", "aria-label": `${label}: ${what}`, onclick: async () => {
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; $("said").textContent = "Copied"; }
    catch (e) { getSelection().selectAllChildren(button.parentNode.querySelector("pre") || button); button.textContent = "Not allowed by the browser"; }
  } }, label);
  return button;
}
const levels = ["status", "headers", "schema", "semantic", "bytes"];

function readHash() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(state)) state[key] = given.get(key) || (key === "tab" ? "overview" : "");
}
function go(change) {
  Object.assign(state, change);
  const set = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) if (value && !(key === "tab" && value === "overview")) set.set(key, value);
  history.pushState(null, "", "#" + set);
  draw();
  if (change.case && $("tabs").getBoundingClientRect().top < 0) $("tabs").scrollIntoView();
}

function header() {
  const failed = data.totals.different > 0 || data.failures.length > 0 || data.error, t = data.totals;
  $("top").replaceChildren(
    el("h1", {}, failed ? (t.different ? `${t.different} of ${t.compared} answers differ and need a decision` : "The comparison failed") :
      t.same === t.compared ? `All ${t.compared} answers are the same` : `No decision is needed: ${t.same} of ${t.compared} answers are the same, the others are explained`),
    el("span", { class: "dim grow" }, `${data.target}${data.compat ? " · --compat " + data.compat : ""} · level ${data.level} · ${data.started.slice(0, 16).replace("T", " ")} UTC · took ${(data.elapsed_ms / 1000).toFixed(1)} s`),
    el("button", { onclick: theme, title: "light or dark" }, "Light / dark"));
  $("totals").replaceChildren(...outcomes.filter((o) => t[o] > 0 || ["different", "same"].includes(o)).map((o) => el("button", { class: "tile " + o, onclick: () => go({ tab: "cases", case: "", cause: "", outcome: o }) }, el("b", {}, String(t[o])), meaning[o])),
    el("div", { class: "tile same" }, el("b", {}, String(t.same_body)), "same status and body"),
    el("div", { class: "tile" }, el("b", {}, ms(data.latency.target.p50_ms)), "target, median"),
    el("div", { class: "tile" }, el("b", {}, ms(data.latency.target.p99_ms)), "target, 99 %"));
  $("notes").replaceChildren(...(data.error ? [el("div", { class: "note" }, data.error)] : []),
    ...data.failures.map((f) => el("div", { class: "note" }, f)),
    ...(data.stopped ? [el("div", { class: "note known" }, "Stopped at the first difference, as asked for.")] : []));
  document.body.dataset.tab = state.tab;
  const label = { overview: "Overview", cases: `Cases (${data.cases.length})`, timing: "Timing", coverage: "Coverage", rules: `Rules (${data.rules.length + data.known.length})` };
  const focused = document.activeElement && document.activeElement.getAttribute("role") === "tab";
  $("tabs").replaceChildren(...tabs.map((name) => el("button", { role: "tab", id: "tab-" + name, "aria-controls": "view", "aria-selected": String(state.tab === name), tabindex: state.tab === name ? "0" : "-1",
    onclick: () => go({ tab: name, case: "" }), onkeydown: (e) => step(e, name) }, label[name])));
  $("view").setAttribute("aria-labelledby", "tab-" + state.tab);
  if (focused) $("tab-" + state.tab).focus();
}
// step moves between the tabs by the keys of a tablist.
function step(e, name) {
  const at = tabs.indexOf(name), to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  go({ tab: tabs[to % tabs.length], case: "" });
}
function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function groupTable(title, groups, key) {
  const rows = groups.map((g) => {
    const all = outcomes.reduce((sum, o) => sum + g[o], 0);
    const bar = el("div", { class: "bar" }, outcomes.map((o) => g[o] > 0 && el("i", { class: "s-" + o, style: `width:${(100 * g[o]) / all}%`, title: `${o}: ${g[o]}` })));
    return el("tr", { class: "link" },
      el("td", {}, el("button", { class: "name", onclick: () => go({ tab: "cases", case: "", q: "", cause: "", outcome: g.different ? "different" : "", level: "", route: "", language: "", role: "", [key]: g.name }) }, key === "q" ? g.name.split("/").pop() : g.name)), el("td", { class: "n" }, String(g.different)), el("td", { class: "n" }, String(all - g.skipped)), el("td", { class: "n" }, ms(g.p50_ms)), el("td", {}, bar));
  });
  return el("div", { class: "card" }, el("h2", {}, title), el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "table" }, el("table", {},
    el("tr", {}, el("th", {}, "name"), el("th", { class: "n" }, "differ"), el("th", { class: "n" }, "asked"), el("th", { class: "n" }, "median"), el("th", {}, "outcomes")), rows)));
}
// placeOf gives the place of a difference without indexes, as groups have it.
const placeOf = (d) => `${d.part} ${(d.where || "").replace(/\[\d+\]/g, "[*]")}`.trim();
// causeOf gives the key of the group that a difference is in.
function causeOf(d) {
  const c = d.cause || {};
  if (c.name === "address") return `address ${d.recorded} ${d.got}`;
  return c.category === "intended" || c.name === "wording" ? c.name : `${c.name || ""} ${placeOf(d)}`;
}
const keyOf = (g) => causeOf({ ...g.first, cause: { category: g.category, name: g.name } });
const explained = (d) => d.known || (d.cause && d.cause.category && d.cause.category !== "unexplained");

function group(g) {
  const c = data.cases[byID.get(g.example)], open = g.category === "unexplained", place = `${g.part} ${g.where || ""}`.trim();
  const title = g.category === "intended" ? `${g.name}: ${g.what}` : g.name && open ? `${g.name}: ${g.what}` : place;
  const show = g.count === 1 ? "Show the case" : `Show the ${g.count} cases`;
  return el("div", { class: "group" }, el("div", { class: "head" }, el("b", {}, `${g.count} ×`), el("h3", { class: g.category === "intended" || (g.name && open) ? "" : "mono" }, title)),
    g.category !== "intended" && !(g.name && open) && g.what ? el("p", { class: "dim" }, g.what) : null,
    el("p", {}, el("span", { class: "dim" }, title === place ? "recorded " : place + ": recorded "), el("code", { class: "del" }, g.first.recorded), el("span", { class: "dim" }, " got "), el("code", { class: "add" }, g.first.got)),
    g.remedy ? el("p", {}, el("span", { class: "dim" }, open ? "To allow it: " : "To get the other behaviour: "), el("code", {}, g.remedy)) : null,
    el("div", { class: "acts" }, el("button", { onclick: () => go({ tab: "cases", case: "", q: "", outcome: "", level: "", route: "", language: "", role: "", cause: keyOf(g) }), "aria-label": `${show}: ${title}` }, show),
      c && c.curl ? copier("Copy as curl", c.curl, c.id) : null, g.remedy && open ? copier("Copy the rule or flag", g.remedy.replace(/^rule /, ""), title) : null));
}
function groupCard(title, hint, groups) {
  if (!groups.length) return null;
  const list = el("div", {}, groups.slice(0, 12).map(group));
  const more = groups.length > 12 && el("button", { onclick: () => { more.remove(); list.append(...groups.slice(12).map(group)); } }, `Show ${groups.length - 12} more`);
  return el("div", { class: "card" }, el("h2", {}, title), hint && el("p", { class: "dim" }, hint), list, more);
}
// byField counts the cases by the field or header that differs.
function byField() {
  const counts = new Map();
  for (const c of data.cases) {
    const seen = new Set();
    for (const d of c.differences || []) {
      const field = d.part === "body" ? (d.where || "body").replace(/\[\d+\]/g, "").split(".").pop() : d.part === "headers" ? d.where : d.part;
      const key = `${d.part === "body" ? "field" : d.part === "headers" ? "header" : ""} ${field}`.trim();
      if (!seen.has(key)) { seen.add(key); const n = counts.get(key) || [0, 0]; n[explained(d) ? 1 : 0]++; counts.set(key, n); }
    }
  }
  const rows = [...counts].sort((a, b) => b[1][0] - a[1][0] || b[1][1] - a[1][1]).slice(0, 30);
  return rows.length ? el("div", { class: "card" }, el("h2", {}, "By field"), el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Differences by field" }, el("table", {}, el("tr", {}, ["field or header", "unexplained", "explained"].map((h, i) => el("th", { class: i ? "n" : "" }, h))),
    rows.map(([name, n]) => el("tr", {}, el("td", {}, el("button", { class: "name mono", onclick: () => go({ tab: "cases", case: "", cause: "", outcome: "", q: name.split(" ").pop() }) }, name)), el("td", { class: "n" }, String(n[0])), el("td", { class: "n" }, String(n[1]))))))) : null;
}
function overview() {
  const of = (category) => data.groups.filter((g) => g.category === category), open = of("unexplained");
  const parts = Object.entries(data.levels).sort((a, b) => levels.indexOf(a[0]) - levels.indexOf(b[0]));
  return [groupCard(`Needs a decision (${open.length})`, "Differences that nothing explains, by cause and place. Correct the cause, set the flag, or allow them by a rule in --rules.", open),
    open.length ? el("div", { class: "card" }, el("h2", {}, "First seen at level"), parts.map(([l, n]) => el("button", { class: "chip", onclick: () => go({ tab: "cases", cause: "", outcome: "different", level: l }) }, `${l} ${n}`))) : null,
    groupCard("Intended", "What calbridge does differently from the reference on purpose, by its number in README.", of("intended")), groupCard("Times, and data that changed", "", of("raced")),
    groupCard("Headers of the web server, PHP, a CDN, or of caching", "They do not belong to the API.", of("headers")), byField(),
    el("div", { class: "two" }, groupTable("By route", data.routes, "route"), el("div", { class: "grid" }, groupTable("By language", data.languages, "language"), el("br"), groupTable("By role", data.roles, "role"))),
    data.files.length > 1 ? groupTable("By recording", data.files, "q") : null];
}

function row(c) {
  const why = c.outcome === "skipped" ? c.reason : (c.differences || []).slice(0, 3).map((d) => `${d.part}${d.where ? " " + d.where : ""}: ${d.recorded} → ${d.got}`).join("   ·   ");
  return el("div", { class: "line" }, el("button", { class: "row", onclick: () => go({ tab: "cases", case: c.id }) }, el("span", { class: "tag " + c.outcome }, c.outcome === "different" ? c.level : c.outcome),
    el("span", { class: "path mono" }, `${c.method} ${c.path}`), el("span", { class: "ms dim" }, ms(c.took_ms)), el("span", { class: "why" }, `${c.id}${c.as === "anonymous" ? "" : " as " + c.as}${why ? " — " + why : ""}`)),
    c.curl ? copier("curl", c.curl, "copy the request of " + c.id) : null);
}
// selected returns the chosen cases, those that need a decision first.
function selected() {
  const q = state.q.toLowerCase();
  const chosen = data.cases.filter((c) => (!state.outcome || c.outcome === state.outcome) && (!state.level || c.level === state.level) && (!state.route || c.route === state.route) &&
    (!state.language || c.language === state.language) && (!state.role || c.as === state.role) &&
    (!state.cause || (c.differences || []).some((d) => causeOf(d) === state.cause)) && (!q || searchText(c).includes(q)));
  return chosen.sort((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
}
function searchText(c) {
  if (!c.search) c.search = [c.id, c.method, c.path, c.as, c.file, ...(c.differences || []).flatMap((d) => [d.part, d.where, d.recorded, d.got])].join(" ").toLowerCase();
  return c.search;
}
let watching = null;
function cases() {
  const list = el("div", {}), count = el("span", { class: "dim" });
  const fill = () => {
    const found = selected();
    count.textContent = `${found.length} of ${data.cases.length}`;
    list.replaceChildren();
    let shown = 0;
    const end = el("button", { onclick: () => more() }, "Show more");
    const more = () => {
      end.remove();
      list.append(...found.slice(shown, shown + 100).map(row));
      shown += 100;
      if (shown < found.length) list.append(end);
    };
    if (watching) watching.disconnect();
    watching = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) more(); }, { rootMargin: "400px" });
    watching.observe(end);
    more();
    if (!found.length) list.append(el("p", { class: "dim" }, "No case matches."));
  };
  const pick = (key, label, values) => {
    const s = el("select", { "aria-label": label, onchange: () => { state[key] = s.value; go({}); } }, el("option", { value: "" }, label + ": all"), values.map((v) => el("option", { value: v, selected: state[key] === v }, v)));
    return s;
  };
  let timer;
  const search = el("input", { type: "search", placeholder: "Search id, path, value…", "aria-label": "search", value: state.q, oninput: () => { clearTimeout(timer); timer = setTimeout(() => { state.q = search.value; fill(); }, 120); } });
  fill();
  const cause = state.cause && el("button", { onclick: () => go({ cause: "" }), title: "Show the cases of all causes" }, `cause: ${state.cause} ✕`);
  return [el("div", { class: "card" }, el("div", { class: "filters" }, cause, search, pick("outcome", "outcome", outcomes), pick("level", "level", levels), pick("route", "route", data.routes.map((g) => g.name)),
    pick("language", "language", data.languages.map((g) => g.name)), pick("role", "role", data.roles.map((g) => g.name)), count), list)];
}

async function detailOf(index) {
  if (!details) details = JSON.parse($("details").textContent);
  if (!details[index]) return null;
  const bytes = Uint8Array.from(atob(details[index]), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
function oneCase() {
  const index = data.cases.findIndex((c) => c.id === state.case), c = data.cases[index];
  if (!c) return [el("p", {}, "There is no such case.")];
  const found = selected(), at = found.indexOf(c), body = el("div", {}, "…");
  const step = (n, label) => at >= 0 && found[at + n] && el("button", { onclick: () => go({ case: found[at + n].id }) }, label);
  detailOf(index).then((d) => body.replaceChildren(...(d ? detail(c, d).filter(Boolean) : [el("p", { class: "dim" }, c.outcome === "same" ? "The answers are the same and not kept in the report." : "The answers are not kept in the report.")])), () => body.replaceChildren("This browser cannot unpack the answers."));
  return [el("div", { class: "filters steps" }, el("button", { onclick: () => go({ case: "" }) }, "← All cases"), step(-1, "Previous"), step(1, "Next")),
    el("div", { class: "card" }, el("h2", {}, el("span", { class: "tag " + c.outcome }, c.outcome), " ", c.id), el("p", { class: "mono path", style: "overflow-wrap:anywhere" }, `${c.method} ${c.path}`),
      el("dl", {}, [["as", c.as], ["route", c.route], ["language", c.language], ["recording", `${c.file}:${c.line}`], ["time", `${ms(c.took_ms)} (recorded: ${ms(c.recorded_took_ms)})`]].map(([k, v]) => [el("dt", {}, k), el("dd", {}, v || "–")])),
      c.reason ? el("p", {}, "Skipped: " + c.reason) : null),
    (c.differences || []).length ? el("div", { class: "card" }, el("h2", {}, "Differences"), el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "table" }, el("table", { class: "found" }, el("tr", {}, ["where", "level", "recorded", "got"].map((h) => el("th", {}, h))),
      c.differences.map((d) => el("tr", {}, el("td", { class: "mono" }, d.part + " " + (d.where || ""), d.known ? ` (known ${d.known})` : d.cause && d.cause.name ? ` (${d.cause.name})` : ""), el("td", {}, d.level), marked(d.recorded, d.got, "del"), marked(d.got, d.recorded, "add")))))) : null,
    body, c.curl ? el("div", { class: "card" }, el("h2", {}, "Ask again ", copier("Copy as curl", c.curl, c.id)), el("pre", { tabindex: "0" }, c.curl)) : null];
}
// marked is a cell with a text in which what the other has not is highlighted.
function marked(text, other, side, plain) {
  if (text === undefined) return el("td", {});
  const [start, end] = spot(text, other === undefined ? "" : other);
  return el("td", { class: "mono " + side }, plain ? text : [text.slice(0, start), el("mark", {}, text.slice(start, text.length - end)), text.slice(text.length - end)]);
}
function detail(c, d) {
  const names = [...new Set([...Object.keys(d.recorded.headers || {}), ...Object.keys(d.got.headers || {})])].sort();
  const one = (part, name) => ((part.headers || {})[name] === undefined ? undefined : [].concat(part.headers[name]).join("\n"));
  const differing = new Set((c.differences || []).filter((x) => x.part === "headers").map((x) => x.where));
  const headRows = names.map((n) => ({ n, l: one(d.recorded, n), r: one(d.got, n) })).map((h) => el("tr", {}, el("td", { class: differing.has(h.n) ? "" : "dim" }, h.n),
    differing.has(h.n) ? [marked(h.l, h.r, "del"), marked(h.r, h.l, "add")] : [el("td", { class: "dim" }, h.l || "–"), el("td", { class: "dim" }, h.r || "–")]));
  return [el("div", { class: "card" }, el("h2", {}, `Body`), bodyDiff(d.recorded.body || "", d.got.body || "")),
    el("div", { class: "card" }, el("h2", {}, `Headers`), el("table", { class: "diff" }, el("tr", {}, el("th", { style: "width:24%" }, "header"), el("th", {}, "recorded " + d.recorded.status), el("th", {}, "got " + (d.got.status || "no answer"))), headRows)),
    Object.keys(d.request.headers).length || d.request.body ? el("div", { class: "card" }, el("h2", {}, "Request"), el("pre", { tabindex: "0" }, Object.entries(d.request.headers).map(([k, v]) => `${k}: ${v}`).join("\n") + (d.request.body ? "\n\n" + d.request.body : ""))) : null];
}
function bodyDiff(recorded, got) {
  if (recorded === got) return el("p", { class: "dim" }, recorded ? "The bodies are the same bytes." : "Both are empty.");
  const rows = bodyRows(recorded, got), table = el("table", { class: "diff" }, el("tr", {}, el("th", {}, "recorded"), el("th", {}, "got")));
  const line = (r) => r.kind === "same" ? el("tr", {}, el("td", { class: "mono dim" }, r.l), el("td", { class: "mono dim" }, r.r)) : el("tr", {}, marked(r.l, r.r, "del", r.r === undefined), marked(r.r, r.l, "add", r.l === undefined));
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && rows[end].kind === "same") end++;
    const hidden = rows.slice(i ? i + 2 : i, end < rows.length ? Math.max(end - 3, 0) : end);
    if (end > i && hidden.length > 4 && hidden[0] !== undefined) {
      if (i) table.append(line(rows[i]), line(rows[i + 1]));
      const fold = el("tr", { class: "fold" }, el("td", { colspan: "2" }, el("button", { onclick: () => fold.replaceWith(...hidden.map(line)) }, `${hidden.length} equal lines`)));
      table.append(fold);
      if (end < rows.length) table.append(...rows.slice(end - 3, end).map(line));
    } else table.append(...rows.slice(i, end).map(line));
    i = end;
    if (i < rows.length) table.append(line(rows[i++]));
  }
  return rows.every((r) => r.kind === "same") ? el("div", {}, el("p", {}, "The JSON is the same; only white space differs."), table) : table;
}

const NS = "http://www.w3.org/2000/svg";
function svg(tag, attrs, ...children) {
  const node = document.createElementNS(NS, tag);
  for (const [k, v] of Object.entries(attrs)) node.setAttribute(k, v);
  node.append(...children);
  return node;
}
function timing() {
  const both = [["target", data.cases.map((c) => c.took_ms).filter((v) => v > 0)], ["recorded", data.cases.map((c) => c.recorded_took_ms).filter((v) => v > 0)]].filter((s) => s[1].length);
  if (!both.length) return [el("p", {}, "Nothing was sent.")];
  let low = Infinity, high = 0;
  for (const [, v] of both) for (const x of v) { low = Math.min(low, x); high = Math.max(high, x); }
  const from = Math.floor(Math.log2(low) * 2), to = Math.max(from + 1, Math.ceil(Math.log2(high) * 2) + 1), n = to - from, W = 900, H = 260, left = 40, step = (W - left - 10) / n;
  const buckets = both.map(([name, v]) => { const b = Array(n).fill(0); for (const x of v) b[Math.min(n - 1, Math.floor(Math.log2(x) * 2) - from)]++; return [name, b, v.length]; });
  const most = Math.max(...buckets.flatMap(([, b, all]) => b.map((x) => x / all)));
  const chart = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "share of answers by time" });
  buckets.forEach(([name, b, all], s) => b.forEach((x, i) => { if (!x) return; const h = ((H - 50) * x) / all / most;
    chart.append(svg("rect", { class: "t-" + name, x: left + i * step + (s * step) / buckets.length + 1, y: H - 30 - h, width: Math.max(2, step / buckets.length - 2), height: h, rx: 2 }, svg("title", {}, `${name}: ${x} of ${all}`))); }));
  const every = Math.ceil(n / 12);
  for (let i = 0; i <= n; i += every) chart.append(svg("text", { x: left + i * step, y: H - 10, "text-anchor": "middle" }, ms(2 ** ((from + i) / 2))));
  chart.append(svg("text", { x: 0, y: 20 }, Math.round(100 * most) + " %"), svg("line", { x1: left, x2: W - 10, y1: H - 30, y2: H - 30, stroke: "currentColor", "stroke-opacity": .3 }));
  const slow = data.cases.filter((c) => c.took_ms > 0).sort((a, b) => b.took_ms - a.took_ms).slice(0, 10);
  return [el("div", { class: "card" }, el("h2", {}, "Time to answer"), chart, el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "table" }, el("table", {}, el("tr", {}, ["side", "answers", "min", "median", "99 %", "max"].map((h, i) => el("th", { class: i ? "n" : "" }, h))),
    both.map(([name]) => { const l = data.latency[name]; return el("tr", {}, el("td", {}, svg("svg", { viewBox: "0 0 10 10", "aria-hidden": "true", style: "width:10px;display:inline-block;margin-right:8px" }, svg("rect", { class: "t-" + name, width: 10, height: 10 })), name), [l.count, ms(l.min_ms), ms(l.p50_ms), ms(l.p99_ms), ms(l.max_ms)].map((v) => el("td", { class: "n" }, String(v)))); })))),
    el("div", { class: "card" }, el("h2", {}, "Slowest"), slow.map(row))];
}
function coverage() {
  const c = data.coverage;
  if (!c) return [el("p", {}, "Unknown.")];
  const chips = (list) => list.length ? list.map((v) => el("span", { class: "chip never" }, v)) : el("span", { class: "dim" }, "–");
  return [el("div", { class: "card" }, el("h2", {}, "What was asked, and what never"), el("p", { class: "dim" }, `Routes and parameters come from the namespace index in the recordings${c.routes.some((r) => r.advertised) ? "" : ", which is not among them"}. Languages: ${c.languages.join(", ")}. Roles: ${c.roles.join(", ")}.`),
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "table" }, el("table", {}, el("tr", {}, ["route", "requests", "parameters never sent", "languages never asked", "roles never used"].map((h) => el("th", {}, h))),
      c.routes.map((r) => el("tr", {}, el("td", { class: "mono" }, r.route), el("td", {}, r.asked ? String(r.asked) : el("span", { class: "chip never" }, "never")), el("td", {}, r.asked ? chips(r.never_parameters) : "all"), el("td", {}, r.asked ? chips(r.never_languages) : "all"), el("td", {}, r.asked ? chips(r.never_roles) : "all"))))))];
}
function rules() {
  const table = (title, head, rows) => el("div", { class: "card" }, el("h2", {}, title), rows.length ? el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "table" }, el("table", {}, el("tr", {}, head.map((h) => el("th", {}, h))), rows.map((r) => el("tr", {}, r.map((v) => el("td", {}, String(v))))))) : el("p", { class: "dim" }, "None."));
  return [table("Rules", ["number", "kind", "about", "reason", "used"], data.rules.map((r) => [r.number, r.kind, r.what, r.reason, r.expired ? "expired" : r.hits])),
    table("Known differences", ["number", "reason", "seen", "absent"], data.known.map((k) => [k.number, k.reason, k.expired ? "expired" : k.seen, k.passed]))];
}

function draw() {
  if (!tabs.includes(state.tab)) state.tab = "overview";
  header();
  const views = { overview, cases: state.case ? oneCase : cases, timing, coverage, rules };
  $("view").replaceChildren(...(views[state.tab] || overview)().filter(Boolean));
}
readHash();
addEventListener("popstate", () => { readHash(); draw(); });
draw();
document.documentElement.dataset.ready = Math.round(performance.now());
