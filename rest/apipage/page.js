
// Shows the OpenAPI document beside this page in Swagger UI. Requests go to the address that the
// page came from, whatever name the site has, because its policy allows no other.
const route = new URLSearchParams(location.search).get("rest_route");
const root = route === null ? "" : location.pathname.replace(/\/$/, "");
const base = root + (route ?? location.pathname).replace(/\/docs\/?$/, "");

// addressOf returns the address of a path of the API: with rest_route if the page has it.
function addressOf(url) {
  const to = new URL(url, location.origin);
  if (route === null) return to.href;
  const path = to.pathname.slice(root.length);
  const search = new URLSearchParams([["rest_route", decodeURIComponent(path)], ...to.searchParams]);
  return `${location.origin}${location.pathname}?${search}`;
}

// An event stream has no end and Swagger UI shows nothing before it, so this returns what arrives
// in a few seconds.
const patience = 4000;

async function send(url, request) {
  const response = await fetch(url, request);
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const reader = response.body.getReader(), decoder = new TextDecoder();
  const end = setTimeout(() => reader.cancel(), patience);
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value, { stream: true });
  clearTimeout(end);
  return new Response(text, { status: response.status, statusText: response.statusText, headers: response.headers });
}

// withoutCookies removes logins by cookie. The browser sends cookies itself, and scripts can set none.
function withoutCookies(spec) {
  const schemes = spec.components.securitySchemes;
  const byCookie = Object.keys(schemes).filter((name) => schemes[name].in === "cookie");
  const operations = Object.values(spec.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) operation.security = operation.security.filter((login) => !byCookie.some((name) => name in login));
  const used = new Set(operations.flatMap((operation) => operation.security).flatMap((login) => Object.keys(login)));
  for (const name of Object.keys(schemes)) if (!used.has(name)) delete schemes[name];
}

const file = document.getElementById("file");
file.href = addressOf(base + "/openapi.json");
const spec = await (await fetch(file.href)).json();
spec.servers = [{ url: location.origin + base }];
withoutCookies(spec);
delete spec.paths["/docs"]; // this page, which takes Swagger UI a minute to show as text
document.title = spec.info.title;
SwaggerUIBundle({
  spec,
  dom_id: "#viewer",
  deepLinking: true,
  displayOperationId: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  filter: true,
  requestSnippetsEnabled: true,
  syntaxHighlight: false, // it takes seconds for a page of events
  tryItOutEnabled: true,
  validatorUrl: null,
  // There is one server, so there is nothing to choose.
  plugins: [{ wrapComponents: { ServersContainer: () => () => null } }],
  requestInterceptor: (request) => Object.assign(request, { url: addressOf(request.url), userFetch: send }),
});
