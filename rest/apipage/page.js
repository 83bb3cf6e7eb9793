
// Reads the OpenAPI document beside this page and makes a form of each operation. Texts go
// into the document as text only.
const labels = {
  cs: { operations: "Operace", filter: "Hledat", parameters: "Parametry", login: "Přihlášení", user: "Uživatel", password: "Heslo aplikace", body: "Tělo (JSON)", send: "Odeslat", required: "povinný", failed: "Dotaz selhal", none: "Dokument nelze přečíst" },
  de: { operations: "Operationen", filter: "Suchen", parameters: "Parameter", login: "Anmeldung", user: "Benutzer", password: "Anwendungspasswort", body: "Inhalt (JSON)", send: "Senden", required: "erforderlich", failed: "Die Anfrage ist gescheitert", none: "Das Dokument kann nicht gelesen werden" },
  en: { operations: "Operations", filter: "Find", parameters: "Parameters", login: "Login", user: "User", password: "Application password", body: "Body (JSON)", send: "Send", required: "required", failed: "The request failed", none: "The document cannot be read" },
};
const say = labels[document.documentElement.lang] ?? labels.en;
const byID = (id) => document.getElementById(id);

function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value !== false && value !== undefined) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children);
  return e;
}

// address is that of a path of the API, beside this page's own.
function address(path, query) {
  const url = new URL(location.href);
  url.hash = "";
  const route = url.searchParams.get("rest_route");
  if (route) url.searchParams.set("rest_route", route.replace(/\/docs\/?$/, path));
  else url.pathname = url.pathname.replace(/\/docs\/?$/, path);
  for (const [name, value] of query ?? []) url.searchParams.append(name, value);
  return url;
}

// Parameters may be references into the document.
const resolve = (doc, node) => node?.$ref ? node.$ref.slice(2).split("/").reduce((at, key) => at?.[key], doc) ?? {} : node ?? {};

let operations = [], current = null, auth = { user: "", password: "" };

function drawList() {
  const text = byID("filter").value.toLowerCase();
  byID("list").replaceChildren(element("ul", {}, ...operations.filter((o) => `${o.method} ${o.path} ${o.summary}`.toLowerCase().includes(text)).map((o) =>
    element("li", {}, element("button", { type: "button", "aria-current": String(o === current), click: () => choose(o, true) }, element("span", { class: "method" }, o.method), element("span", {}, o.path))))));
}

function field(name, about, input) {
  const id = `field-${name}`;
  input.id = id;
  return element("div", { class: "field" }, element("label", { for: id }, name), element("div", {}, input, element("small", {}, about)));
}

function choose(o, focus) {
  current = o;
  history.replaceState(null, "", `#${o.method}${o.path}`);
  drawList();
  byID("operation-title").textContent = `${o.method} ${o.path}`;
  byID("summary").textContent = o.summary;
  const inputs = new Map();
  const fields = o.parameters.map((p) => {
    const schema = p.schema ?? {}, values = schema.enum ?? schema.items?.enum;
    const input = values && schema.type !== "array" ? element("select", {}, element("option", { value: "" }, ""), ...values.map((v) => element("option", {}, String(v))))
      : element("input", { required: p.in === "path", autocomplete: "off", spellcheck: "false" });
    inputs.set(p, input);
    const type = [schema.type, schema.format, p.required ? say.required : ""].filter(Boolean).join(", ");
    return field(p.name, `${p.description ?? ""}${type ? ` (${type})` : ""}`, input);
  });
  const writes = o.method !== "GET";
  const body = element("textarea", { spellcheck: "false" });
  body.value = writes && o.example ? JSON.stringify(o.example, null, 2) : "";
  const user = element("input", { autocomplete: "off", value: auth.user }), password = element("input", { type: "password", autocomplete: "off", value: auth.password });
  const parts = [];
  if (fields.length) parts.push(element("fieldset", {}, element("legend", {}, say.parameters), ...fields));
  if (writes && o.method !== "DELETE") parts.push(element("fieldset", {}, element("legend", {}, say.body), field("body", "", body)));
  parts.push(element("fieldset", {}, element("legend", {}, say.login), field(say.user, "", user), field(say.password, "", password)));
  parts.push(element("button", { class: "send" }, say.send));
  byID("form").replaceChildren(...parts);
  byID("form").onsubmit = (e) => {
    e.preventDefault();
    auth = { user: user.value, password: password.value };
    let path = o.path;
    const query = [];
    for (const [p, input] of inputs) {
      if (p.in === "path") path = path.replace(`{${p.name}}`, encodeURIComponent(input.value));
      else if (input.value !== "") query.push([p.name, input.value]);
    }
    send(o.method, address(path, query), body.value.trim());
  };
  for (const id of ["headers", "body"]) byID(id).hidden = true;
  byID("answer").textContent = "";
  if (focus) byID("operation-title").focus();
}

async function send(method, url, body) {
  const headers = {};
  if (auth.user) headers.Authorization = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${auth.user}:${auth.password}`)))}`;
  if (body) headers["Content-Type"] = "application/json";
  const begin = performance.now();
  try {
    const response = await fetch(url, { method, headers, body: body || undefined, cache: "no-store", credentials: "omit" });
    const text = await response.text();
    byID("answer").textContent = `${response.status} · ${(performance.now() - begin).toFixed(1)} ms · ${method} ${url.pathname}${url.search}`;
    byID("headers").textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    let shown = text;
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2);
    } catch { /* not JSON */ }
    byID("body").textContent = shown.length > 100_000 ? `${shown.slice(0, 100_000)}\n…` : shown;
    for (const id of ["headers", "body"]) byID(id).hidden = false;
  } catch (error) {
    byID("answer").textContent = `${say.failed}: ${error.message}`;
  }
}

byID("list-title").textContent = say.operations;
byID("filter-label").textContent = say.filter;
byID("filter").addEventListener("input", drawList);
try {
  const response = await fetch(address("/openapi.json"));
  if (!response.ok) throw new Error(String(response.status));
  const doc = await response.json();
  document.title = byID("title").textContent = doc.info?.title || "API";
  byID("about").textContent = doc.info?.description ?? "";
  for (const [path, methods] of Object.entries(doc.paths)) {
    for (const [method, o] of Object.entries(methods)) {
      const parameters = Object.values(o.parameters ?? []).map((p) => resolve(doc, p));
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) if (!parameters.some((p) => p.in === "path" && p.name === name)) parameters.unshift({ name, in: "path", required: true });
      operations.push({ method: method.toUpperCase(), path, summary: o.summary ?? Object.values(o.responses ?? {})[0]?.description ?? "", parameters: parameters.filter((p) => p.in === "path" || p.in === "query" || method === "get") });
    }
  }
  const wanted = decodeURIComponent(location.hash.slice(1));
  choose(operations.find((o) => o.method + o.path === wanted) ?? operations.find((o) => o.path === "/events") ?? operations[0], false);
} catch (error) {
  byID("answer").textContent = `${say.none}: ${error.message}`;
}
