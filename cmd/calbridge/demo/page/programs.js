// The same request for other programs. A body is JSON text.

const php = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const reads = (method) => ["GET", "HEAD", "OPTIONS"].includes(method);

export const programs = {
  curl({ method, url, body }) {
    const options = { GET: "-s", HEAD: "-sI", OPTIONS: "-s -X OPTIONS" }[method] ?? `-s -X ${method} -u demo`;
    return `curl ${options} ${shell(url)}${body ? ` \\\n  -H 'Content-Type: application/json' -d ${shell(body)}` : ""}`;
  },

  fetch({ method, url, body }) {
    const options = [
      method !== "GET" && `method: ${JSON.stringify(method)}`,
      !reads(method) && `headers: { ${body ? '"Content-Type": "application/json", ' : ""}Authorization: "Basic " + btoa("demo:PASSWORD") }`,
      body && `body: JSON.stringify(${body})`,
    ].filter(Boolean);
    return `const response = await fetch(${JSON.stringify(url)}${options.length ? `, {\n  ${options.join(",\n  ")},\n}` : ""});\n${method === "HEAD" ? "const headers = response.headers;" : "const data = await response.json();"}`;
  },

  Python({ method, url, body }) {
    const options = `${body ? `,\n    data=${JSON.stringify(body)}.encode(), headers={"Content-Type": "application/json"}` : ""}${reads(method) ? "" : ',\n    auth=("demo", "PASSWORD")'}`;
    return `import requests\n\nresponse = requests.request(${JSON.stringify(method)}, ${JSON.stringify(url)}${options})\n${method === "HEAD" ? "headers = response.headers" : "data = response.json()"}`;
  },

  PHP({ method, url, body }) {
    const headers = reads(method) ? "" : `\n    'headers' => [${body ? "'Content-Type' => 'application/json', " : ""}'Authorization' => 'Basic ' . base64_encode('demo:PASSWORD')],`;
    return `$response = wp_remote_request(${php(url)}, [\n    'method' => ${php(method)},${headers}${body ? `\n    'body' => ${php(body)},` : ""}\n]);\n${method === "HEAD" ? "$headers = wp_remote_retrieve_headers($response);" : "$data = json_decode(wp_remote_retrieve_body($response));"}`;
  },
};
