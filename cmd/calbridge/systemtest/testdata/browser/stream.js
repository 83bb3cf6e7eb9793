// Opens a page with EventSource, prints "ready", reads a title from its input, and waits until the
// page shows it. Prints what it saw as JSON.
//
//	node stream.js PAGE
const { chromium } = require("playwright-core");
const readline = require("node:readline");

const [url] = process.argv.slice(2);

const saw = { messages: [] };

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext();
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  page.on("pageerror", (e) => saw.messages.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error") saw.messages.push(m.text()); });
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector("#list").textContent.includes("open"), null, { polling: 50 });
  console.log("ready");
  const title = await new Promise((resolve) => readline.createInterface({ input: process.stdin }).once("line", resolve));
  await page.waitForFunction((title) => document.body.textContent.includes(title), title, { polling: 50 });
  saw.list = await page.locator("#list li").allTextContents();
  await browser.close();
  console.log(JSON.stringify(saw));
  process.exit(0);
})().catch((e) => { console.error(e, saw); process.exit(1); });
