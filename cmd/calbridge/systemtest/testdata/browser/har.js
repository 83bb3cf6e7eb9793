// Browses a calendar's API in Chromium and writes what the browser saw as HAR.
//
//   npm install playwright-core; NODE_PATH=$PWD/node_modules node har.js URL-OF-THE-NAMESPACE FILE.har
const { chromium } = require("playwright-core");

async function main(base, file) {
  const patience = 180_000; // ms, for slow machines
  const browser = await chromium.launch({
    timeout: patience,
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const context = await browser.newContext({ recordHar: { path: file, content: "embed" }, locale: "cs-CZ" });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  // A body that nobody has read may be missing in the file.
  const look = async (url) => (await page.goto(url)).body();
  // As somebody looks around …
  for (const path of ["/", "/events?per_page=3", "/events?per_page=3&page=2", "/venues", "/categories?hide_empty=0", "/nothing"]) await look(base + path);
  const english = base.replace("/wp-json", "/en/wp-json");
  await look(english + "/events?search=organ%20music&per_page=5");
  // … and as a page's scripts ask.
  const title = await page.evaluate(async (base) => {
    const list = await (await fetch(base + "/events?per_page=2&_fields=events,total")).json();
    const one = await (await fetch(`${base}/events/${list.events[0].id}`, { headers: { "X-Requested-With": "XMLHttpRequest" } })).json();
    await (await fetch(base + "/events", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ title: "Not allowed" }) })).text();
    await (await fetch(base + "/events?per_page=0")).text();
    return one.title;
  }, base);
  await context.close(); // writes the file
  await browser.close();
  if (!title) throw new Error("the page's scripts got no event");
}

main(process.argv[2], process.argv[3]).catch((err) => {
  console.error(err);
  process.exit(1);
});
