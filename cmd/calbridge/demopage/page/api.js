// Requests to the API, and what the page learns of each: status, headers, time, source.

const settings = document.querySelector("meta[name=demo]").dataset;

export const mayWrite = settings.token !== "";

// root is the API's path in a language; the default language has no part of its own.
export const root = (language) => (language === "cs" ? "" : `/${language}`) + settings.path;

// ask sends a request and returns { method, path, status, headers, text, ms, source, queries }.
export async function ask(method, path, body) {
  const id = Math.random().toString(36).slice(2);
  const headers = { "X-Demo-Request": id };
  if (body) Object.assign(headers, { "Content-Type": "application/json", "X-Demo-Token": settings.token });
  const begin = performance.now();
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store" });
  const text = await response.text();
  const answer = { method, path, body, status: response.status, headers: [...response.headers], text, ms: performance.now() - begin };
  const seen = await fetch(`/demo/requests/${id}`).catch(() => null);
  if (seen?.ok) {
    const how = await seen.json();
    Object.assign(answer, { source: how.source, queries: how.queries, serverMS: how.ms });
  }
  return answer;
}

// revalidate asks again for a list, cheaply: the browser revalidates what it has.
export async function revalidate(path) {
  const response = await fetch(path, { cache: "no-cache" });
  return response.ok ? response.json() : null;
}

// The same request for other programs.
export const programs = {
  curl: ({ method, url, body }) => `curl -s${method === "HEAD" ? "I" : ""}${method === "GET" || method === "HEAD" ? "" : ` -X ${method} -u demo`} '${url}'${body ? ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'` : ""}`,
  fetch: ({ method, url, body }) => `const response = await fetch(${JSON.stringify(url)}${method === "GET" ? "" : `, {\n  method: ${JSON.stringify(method)},${body ? `\n  headers: { "Content-Type": "application/json", Authorization: "Basic " + btoa("demo:PASSWORD") },\n  body: JSON.stringify(${JSON.stringify(body)}),` : ""}\n}`});\nconst data = await response.json();`,
  Python: ({ method, url, body }) => `import requests\n\nresponse = requests.request(${JSON.stringify(method)}, ${JSON.stringify(url)}${body ? `,\n    json=${JSON.stringify(body)}, auth=("demo", "PASSWORD")` : ""})\ndata = response.json()`,
  PHP: ({ method, url, body }) => `$response = wp_remote_request(${php(url)}, [\n    'method' => ${php(method)},${body ? `\n    'headers' => ['Content-Type' => 'application/json', 'Authorization' => 'Basic ' . base64_encode('demo:PASSWORD')],\n    'body' => ${php(JSON.stringify(body))},` : ""}\n]);\n$data = json_decode(wp_remote_retrieve_body($response));`,
};

const php = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
