// Checks that every operation of the API page has a link that opens it, and sends a request of each
// with an application password. Objects are created first and deleted last. Prints the statuses that the
// page shows as JSON, by the names of the operations.
//
//	node operations.js URL USER:PASSWORD
const { chromium } = require("playwright-core");

const [url, login] = process.argv.slice(2);

// turn returns when an operation is tried: lists, creation, the rest, and deletion.
const turn = ({ method, path }) => (method === "delete" ? 3 : path.includes("{") ? 2 : method === "post" ? 1 : 0);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const saw = { messages: [], statuses: {}, opened: [] };
  page.on("pageerror", (e) => saw.messages.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error") saw.messages.push(m.text()); });
  await page.goto(url);
  const paths = await page.evaluate(async () => (await (await fetch(document.getElementById("file").href)).json()).paths);
  const operations = Object.entries(paths).filter(([path]) => path !== "/docs")
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, o]) => ({ method, path, name: o.operationId, tag: o.tags[0] })))
    .sort((a, b) => a.tag.localeCompare(b.tag) || turn(a) - turn(b));

  // Every operation has a link. Loading a page is slow, so one link of each method is followed.
  await page.waitForSelector(".opblock");
  const links = await page.$$eval(".opblock-summary a.nostyle", (all) => all.map((a) => a.getAttribute("href")));
  saw.unlinked = operations.filter(({ tag, name }) => !links.includes(`#/${tag}/${name}`)).map(({ name }) => name);
  for (const { tag, name } of operations.filter((o, i) => operations.findIndex((other) => other.method === o.method) === i)) {
    await page.goto("about:blank");
    await page.goto(`${url}#/${tag}/${name}`);
    const opened = page.waitForSelector(`#operations-${tag}-${name}.is-open .execute`);
    await opened.then(() => saw.opened.push(name), () => {});
  }

  await page.goto("about:blank");
  await page.goto(url);
  await page.click(".btn.authorize");
  await page.fill("#auth-basic-username", login.split(":")[0]);
  await page.fill("#auth-basic-password", login.slice(login.indexOf(":") + 1));
  await page.click(".modal-btn.authorize");
  await page.click(".close-modal");

  // attempt sends the request that the page offers, with these parameters in its path.
  const attempt = async ({ tag, name }, parameters) => {
    const at = `#operations-${tag}-${name}`;
    if (await page.locator(`${at}.is-open`).count() === 0) await page.click(`${at} .opblock-summary-control`);
    for (const [parameter, value] of Object.entries(parameters)) await page.fill(`${at} tr[data-param-name="${parameter}"][data-param-in="path"] input`, String(value));
    const answered = page.waitForResponse((r) => r.request().method() !== "OPTIONS" && r.url().includes("/wp-json/"));
    await page.click(`${at} .execute`);
    const response = await answered;
    const status = page.locator(`${at} .live-responses-table tbody .response-col_status`).first();
    await status.waitFor();
    saw.statuses[name] = (await status.innerText()).trim();
    const object = response.headers()["content-type"]?.startsWith("application/json") ? await response.json().catch(() => ({})) : {};
    await page.click(`${at} .opblock-summary-control`);
    return object;
  };
  // One object is addressed by its id, and another by its slug if it can be deleted by that. A second
  // venue or organizer that equals the first is the first, so another is made once that is deleted.
  const created = {};
  let filtered = "";
  for (const operation of operations) {
    const { tag, method, path } = operation;
    if (tag !== filtered) await page.fill(".operation-filter-input", filtered = tag); // the page is faster with fewer operations
    if (turn(operation) === 1) {
      const first = await attempt(operation, {});
      const second = paths[`/${tag}/by-slug/{slug}`]?.delete ? await attempt(operation, {}) : first;
      created[tag] = { id: first.id, slug: second.slug, again: second.id === first.id && operation };
    } else {
      const by = /\{(\w+)\}/.exec(path)?.[1];
      if (method === "delete" && by === "slug" && created[tag].again) created[tag].slug = (await attempt(created[tag].again, {})).slug;
      const object = await attempt(operation, by ? { [by]: created[tag][by] } : {});
      if (by === "slug" && method !== "get" && object.slug) created[tag].slug = object.slug;
    }
  }
  await browser.close();
  console.log(JSON.stringify(saw));
})().catch((e) => { console.error(e); process.exit(1); });
