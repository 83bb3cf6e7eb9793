// Changes of events: the server's stream tells of them; where there is none, the page asks at
// intervals.
import { revalidate, root } from "./api.js";

const INTERVAL = 2000;
let stream = null; // null: ask at intervals
let stale = false; // something has changed that isn't shown yet

// follow follows the stream of a language. renew is called when what is shown may have changed.
export async function follow(language, renew) {
  stream?.close();
  stream = null;
  document.documentElement.dataset.changes = "interval";
  const index = await revalidate(`${root(language)}/`).catch(() => null);
  const route = Object.keys(index?.routes ?? {}).find((name) => name.endsWith("/events/stream"));
  if (!route || language !== document.documentElement.lang) return;
  const own = new EventSource(`${root(language)}/events/stream?${new URLSearchParams({ start_date: "1971-01-01", end_date: "2100-01-01" })}`);
  const told = () => { stale = true; settle(renew); };
  own.addEventListener("open", () => {
    stream = own;
    document.documentElement.dataset.changes = "stream";
    told(); // what changed before
  });
  for (const kind of ["created", "updated", "deleted", "reset"]) own.addEventListener(kind, told);
  own.addEventListener("error", () => {
    if (own.readyState !== EventSource.CLOSED || stream !== own) return; // it connects again by itself
    stream = null;
    document.documentElement.dataset.changes = "interval";
  });
}

// settle renews what is shown, unless somebody is writing.
function settle(renew) {
  if ((stream && !stale) || document.visibilityState !== "visible" || document.activeElement?.closest("form.edit")) return;
  stale = false;
  renew();
}

// watch keeps what is shown up to date.
export function watch(renew) {
  setInterval(() => settle(renew), INTERVAL);
}
