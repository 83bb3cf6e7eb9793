// Opens a page in Chromium and prints what is wrong with it as JSON: violations that axe-core
// finds, errors of scripts, messages of the console (a refused request or style is one),
// requests to elsewhere, and whether the page is wider than the window.
//
//	node page.js URL WIDTH light|dark SECONDS [SCREENSHOT]
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const [url, width, scheme, seconds, screenshot] = process.argv.slice(2);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: Number(width), height: 900 }, colorScheme: scheme });
  const found = { violations: [], messages: [], elsewhere: [] };
  page.on("pageerror", (e) => found.messages.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") found.messages.push(m.text()); });
  page.on("request", (r) => { const u = new URL(r.url()); if (u.protocol !== "data:" && u.origin !== new URL(url).origin) found.elsewhere.push(r.url()); });
  await page.goto(url);
  await page.waitForTimeout(1000 * Number(seconds));
  found.text = await page.evaluate(() => document.body.innerText);
  found.overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
  // The page's own policy allows no inline script, so axe-core runs in an isolated world.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const run = (expression) => session.send("Runtime.evaluate", { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
  await run(axe);
  const { result } = await run("axe.run({ rules: { 'target-size': { enabled: true } } }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', ')))");
  found.violations = result.value;
  await browser.close();
  console.log(JSON.stringify(found));
})().catch((e) => { console.error(e); process.exit(1); });
