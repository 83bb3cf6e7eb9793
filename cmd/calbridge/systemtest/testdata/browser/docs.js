// Tries the API page in Chromium: opens an operation by its deep link, sends a request, sends one
// that needs a login without and with it, and creates an event. Prints what it saw as JSON.
//
//	node docs.js URL USER:PASSWORD
const { chromium } = require("playwright-core");

const [url, login] = process.argv.slice(2);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const saw = { messages: [] };
  page.on("pageerror", (e) => saw.messages.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error" && !m.text().startsWith("Failed to load resource")) saw.messages.push(m.text()); });
  await page.goto(`${url}#/venues/listVenues`);
  await page.waitForSelector("#operations-venues-listVenues.is-open .execute");
  const blocks = await page.$$eval(".opblock", (all) => all.map((b) => b.id));
  saw.operations = blocks.length;
  saw.file = await page.evaluate(async () => {
    const document = await (await fetch(globalThis.document.getElementById("file").href)).json();
    return { version: document.openapi, operations: Object.entries(document.paths).filter(([path]) => path !== "/docs").flatMap(([, p]) => Object.keys(p)).length };
  });

  const open = async (id) => {
    if (await page.locator(`#${id}.is-open`).count() === 0) await page.click(`#${id} .opblock-summary-control`);
    await page.waitForSelector(`#${id} .execute`);
  };
  const send = async (id) => {
    await page.click(`#${id} .execute`);
    await page.waitForSelector(`#${id} .live-responses-table .response-col_status`);
    const text = (name) => page.locator(`#${id} .live-responses-table ${name}`).first().innerText();
    return { status: (await text("tbody .response-col_status")).trim(), body: (await text("tbody .response-col_description")).slice(0, 2000), request: await page.locator(`#${id} .curl-command`).innerText() };
  };
  const field = (id, name) => page.locator(`#${id} tr[data-param-name="${name}"] :is(input, select)`).first();

  await field("operations-venues-listVenues", "per_page").fill("1");
  saw.list = await send("operations-venues-listVenues");
  // Drafts are for those who may edit events.
  await open("operations-events-listEvents");
  await field("operations-events-listEvents", "status").fill("draft");
  saw.refused = await send("operations-events-listEvents");
  await page.click(".btn.authorize");
  await page.fill("#auth-basic-username", login.split(":")[0]);
  await page.fill("#auth-basic-password", login.slice(login.indexOf(":") + 1));
  await page.click(".modal-btn.authorize");
  await page.click(".close-modal");
  saw.allowed = await send("operations-events-listEvents");

  saw.created = await (async () => { await open("operations-events-createEvent"); return send("operations-events-createEvent"); })();
  await browser.close();
  console.log(JSON.stringify(saw));
})().catch((e) => { console.error(e); process.exit(1); });
