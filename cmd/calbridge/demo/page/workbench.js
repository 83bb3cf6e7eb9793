// The request that the calendar was drawn from: how it was answered, the same for other
// programs, and a form to send others.
import { ask, mayWrite, root } from "./api.js";
import { byID, element } from "./dom.js";
import { programs } from "./programs.js";

const LONGEST = 60_000; // characters of a body that are shown
let word = null, number = null; // in the language of the page
let program = "curl", last = null;

// These addresses are proposed, below the API's path.
const examples = ["/events", "/events?per_page=3&featured=true", "/events?search=jazz", "/events/by-slug/letni-festival-lipa-v-kvetu", "/venues?only_with_upcoming=true", "/organizers", "/categories?per_page=50&hide_empty=0", "/tags?per_page=20", "/doc"];

const takesBody = (method) => ["POST", "PUT"].includes(method);

// setUp connects the form.
export function setUp() {
  if (mayWrite) byID("method").append(...["POST", "PUT", "DELETE"].map((method) => element("option", {}, method)));
  byID("method").addEventListener("change", showPayload);
  byID("request").addEventListener("submit", (e) => {
    e.preventDefault();
    const method = byID("method").value;
    show(method, byID("address").value, takesBody(method) && byID("payload").value ? byID("payload").value : undefined);
  });
}

function showPayload() {
  for (const id of ["payload", "payload-label"]) byID(id).hidden = !takesBody(byID("method").value);
}

// translate changes the language of the labels.
export function translate(language, translated) {
  word = translated;
  number = (n, digits) => n.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  byID("workbench-title").textContent = word("workbench");
  for (const name of ["method", "address", "payload"]) byID(`${name}-label`).textContent = word(name);
  for (const name of ["headers", "body"]) byID(`${name}-title`).textContent = word(name);
  byID("send").textContent = word("send");
  byID("note").textContent = word("note");
  byID("tabs").setAttribute("aria-label", word("as"));
  byID("examples").replaceChildren(...examples.map((path) => element("option", { value: root(language) + path })));
}

// show sends a request, shows how it was answered, and returns the JSON of a good answer.
export async function show(method, path, body) {
  byID("address").value = path;
  byID("method").value = method;
  byID("payload").value = body ?? "";
  showPayload();
  try {
    last = await ask(method, path, body);
  } catch (error) {
    byID("body").textContent = `${word("failed")}: ${error.message}`;
    return null;
  }
  const facts = [["status", `${method} ${last.status}`], ["time", `${number(last.ms, 2)} ms`], ["size", `${number(new TextEncoder().encode(last.text).length, 0)} B`]];
  if (last.source) facts.push(["source", word(last.source)], ["queries", number(last.queries, 0)]);
  byID("answer").replaceChildren(...facts.map(([name, value]) => element("div", {}, element("dt", {}, word(name)), element("dd", {}, value))));
  byID("headers").textContent = last.headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  let data = null;
  try {
    data = JSON.parse(last.text);
  } catch { /* not JSON */ }
  const text = data === null ? last.text : JSON.stringify(data, null, 2);
  byID("body").textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text;
  drawCode();
  return last.status < 400 ? data : null;
}

function drawCode() {
  byID("tabs").replaceChildren(...Object.keys(programs).map((name) => element("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "code", "aria-selected": String(name === program), tabindex: name === program ? "0" : "-1",
    click: () => choose(name), keydown: tabKeys,
  }, name)));
  byID("code").setAttribute("aria-labelledby", `tab-${program}`);
  if (last) byID("code").textContent = programs[program]({ method: last.method, url: new URL(last.path, location.href).href, body: last.body });
}

function choose(name) {
  program = name;
  drawCode();
  byID(`tab-${program}`).focus();
}

function tabKeys(e) {
  const names = Object.keys(programs), at = names.indexOf(program);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  choose(names[(to + names.length) % names.length]);
}
