// Requests to the API, and how each was answered: status, headers, time, source.

export const settings = document.querySelector("meta[name=demo]").dataset;

export const mayWrite = settings.token !== "";

// root returns the API's path in a language; the default language has no part of its own.
export const root = (language) => (language === "cs" ? "" : `/${language}`) + settings.path;

// feed returns the path of the calendar's feed in a language.
export const feed = (language) => (settings.extended === "true" ? `${root(language)}/events.ics` : `${language === "cs" ? "" : `/${language}`}/events/?ical=1`);

// query returns the path of a list.
export const query = (language, list, parameters) => `${root(language)}/${list}?${new URLSearchParams(parameters)}`;

// ask sends a request and returns { method, path, body, status, headers, text, ms, source, queries }.
export async function ask(method, path, body) {
  const id = Math.random().toString(36).slice(2);
  const headers = { "X-Demo-Request": id };
  if (!["GET", "HEAD", "OPTIONS"].includes(method)) headers["X-Demo-Token"] = settings.token;
  if (body) headers["Content-Type"] = "application/json";
  const begin = performance.now();
  const response = await fetch(path, { method, headers, body, cache: "no-store" });
  const text = await response.text();
  const answer = { method, path, body, status: response.status, headers: [...response.headers], text, ms: performance.now() - begin };
  const seen = await fetch(`/demo/requests/${id}`).catch(() => null);
  if (seen?.ok) {
    const how = await seen.json();
    Object.assign(answer, { source: how.source, queries: how.queries, ms: how.ms });
  }
  return answer;
}

// revalidate asks again for a list, cheaply: the browser revalidates what it has.
export async function revalidate(path) {
  const response = await fetch(path, { cache: "no-cache" });
  return response.ok ? response.json() : null;
}

// otherPages returns the events of all pages of a list, of which data is the first.
export async function otherPages(path, data) {
  const all = [...(data?.events ?? [])];
  for (let page = 2; page <= (data?.total_pages ?? 1); page++) all.push(...((await revalidate(`${path}&page=${page}`).catch(() => null))?.events ?? []));
  return all;
}
