// Opens a report of compare in Chromium, goes through its tabs by keyboard and prints as JSON
// what axe-core finds in each, errors of scripts, and what is on the page and the clipboard.
//
//	node report.js FILE WIDTH light|dark [SCREENSHOTS]
//
// SCREENSHOTS is the beginning of the names of two pictures, of the overview and of a case.
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;
const http = require("http");
const fs = require("fs");

const [file, width, scheme, pictures] = process.argv.slice(2);

(async () => {
  const server = http.createServer((_, w) => { w.setHeader("Content-Type", "text/html; charset=utf-8"); w.end(fs.readFileSync(file)); });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width: Number(width), height: 900 }, colorScheme: scheme });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  const page = await context.newPage();
  const found = { violations: [], messages: [], tabs: [], overflow: 0 };
  page.on("pageerror", (e) => found.messages.push(String(e)));
  page.on("console", (m) => { if ((m.type() === "error" || m.type() === "warning") && !m.text().includes("404")) found.messages.push(m.text()); });
  await page.goto(url);
  const check = async (name) => {
    await page.evaluate(axe);
    const list = await page.evaluate("axe.run({ rules: { 'target-size': { enabled: true } } }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(', ')))");
    found.violations.push(...list.map((v) => name + " " + v));
    found.overflow = Math.max(found.overflow, await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth));
  };
  const picture = async (name) => { if (pictures) await page.screenshot({ path: `${pictures}-${name}.png`, fullPage: true }); };
  found.text = await page.evaluate(() => document.body.innerText);
  await picture("overview");
  await page.focus("[role=tab][aria-selected=true]");
  for (let i = 0; i < 5; i++) {
    const tab = await page.evaluate(() => { const t = document.activeElement; return [t.getAttribute("role"), t.getAttribute("aria-selected"), t.innerText, document.getElementById(t.getAttribute("aria-controls")).getAttribute("role")].join("|"); });
    found.tabs.push(tab);
    await check(tab);
    const first = page.locator(".row .tag").first();
    if (tab.includes("|Cases") && await first.count()) found.first = await first.getAttribute("class");
    await page.keyboard.press("ArrowRight");
  }
  found.around = await page.evaluate(() => document.activeElement.innerText);
  await page.keyboard.press("End");
  found.end = await page.evaluate(() => document.activeElement.innerText);
  await page.keyboard.press("Home");
  const curl = page.locator(".group .copy").first();
  if (await curl.count()) {
    await curl.focus();
    await page.keyboard.press("Enter");
    await page.waitForTimeout(200);
    found.copied = await page.evaluate(() => navigator.clipboard.readText());
    await page.locator(".group .acts button").first().press("Enter");
    found.cases = await page.evaluate(() => document.querySelectorAll(".line").length);
    await page.locator(".row").first().press("Enter");
    await page.waitForTimeout(500);
    await check("case");
    await picture("case");
    found.detail = await page.evaluate(() => document.body.innerText);
  }
  await browser.close();
  server.close();
  console.log(JSON.stringify(found));
})().catch((e) => { console.error(e); process.exit(1); });
