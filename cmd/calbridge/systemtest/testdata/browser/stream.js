// Opens a page with EventSource and the demo's page, prints "ready", reads a title from its
// input, and waits until both show it. Prints what it saw as JSON.
//
//	node stream.js PAGE DEMO
const { chromium } = require("playwright-core");
const readline = require("node:readline");

const [url, demo] = process.argv.slice(2);

const saw = { messages: [], polls: 0 };

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext();
  context.setDefaultTimeout(30_000);
  const open = async (url) => {
    const page = await context.newPage();
    page.on("pageerror", (e) => saw.messages.push(String(e)));
    page.on("console", (m) => { if (m.type() === "error" && !m.location().url.includes("/demo/requests/")) saw.messages.push(m.text()); });
    await page.goto(url);
    return page;
  };
  const page = await open(url);
  await page.waitForFunction(() => document.querySelector("#list").textContent.includes("open"), null, { polling: 50 });
  const second = await open(demo);
  await second.waitForFunction(() => document.documentElement.dataset.changes === "stream", null, { polling: 50 });
  await second.waitForTimeout(1000);
  second.on("request", (r) => { if (r.url().includes("/events?")) saw.polls++; });
  await second.waitForTimeout(5000); // longer than it would wait if it asked at intervals
  console.log("ready");
  const title = await new Promise((resolve) => readline.createInterface({ input: process.stdin }).once("line", resolve));
  const shows = (title) => document.body.textContent.includes(title);
  await Promise.all([page, second].map((p) => p.waitForFunction(shows, title, { polling: 50 })));
  saw.list = await page.locator("#list li").allTextContents();
  saw.demo = await second.textContent("#view");
  await browser.close();
  console.log(JSON.stringify(saw));
  process.exit(0);
})().catch((e) => { console.error(e, saw); process.exit(1); });
