
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

const response = await fetch(addressOf(base + "/openapi.json"));
const spec = await response.json();
spec.servers = [{ url: location.origin + base }];
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
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: (request) => Object.assign(request, { url: addressOf(request.url), userFetch: send }),
});
