// Opens each view of the demo's page in three languages, on narrow and wide screens, light and
// dark, and prints what is wrong as JSON: violations that axe-core finds, too small targets
// included, messages of the console, requests to elsewhere, and pages wider than the window.
//
//	node demo_looks.js URL DAY [DIR]
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const [url, day, dir] = process.argv.slice(2);
const found = { violations: [], messages: [], elsewhere: [], overflow: [], looked: 0 };

// Each view is looked at in these windows. The month and an event are looked at in all of them.
const windows = [[360, "dark"], [1600, "light"], [360, "light"], [1600, "dark"]];
const views = { month: "view=month", event: "", week: "view=week", list: "view=list", day: "view=day", search: "search=a" };

// axeIn runs axe-core in an isolated world, because the page's policy allows no inline script.
async function axeIn(page) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const run = (expression) => session.send("Runtime.evaluate", { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
  await run(axe);
  const { result } = await run("axe.run({ rules: { 'target-size': { enabled: true } } }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', ')))");
  return result.value;
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  for (const [i, [width, colorScheme]] of windows.entries()) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    for (const language of ["cs", "en", "de"]) {
      const page = await context.newPage();
      const where = (name) => `${name}-${language}-${width}-${colorScheme}`;
      page.on("pageerror", (e) => found.messages.push(String(e)));
      page.on("console", (m) => { if (["error", "warning"].includes(m.type())) found.messages.push(m.text()); });
      page.on("request", (r) => { const u = new URL(r.url()); if (u.protocol !== "data:" && u.origin !== new URL(url).origin) found.elsewhere.push(r.url()); });
      let event = 0;
      for (const [name, address] of Object.entries(views).slice(0, i < 2 ? undefined : 2)) {
        await page.goto(`${url}#language=${language}&day=${day}&${name === "event" ? `event=${event}` : address}`);
        await page.reload();
        await page.waitForSelector("html[data-shown]", { timeout: 60_000 });
        if (name === "month") event = await page.locator(".event").first().getAttribute("data-event");
        for (const violation of await axeIn(page)) found.violations.push(`${where(name)}: ${violation}`);
        if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) found.overflow.push(where(name));
        if (dir) await page.screenshot({ path: `${dir}/demo-${where(name)}.png`, fullPage: true });
        found.looked++;
      }
      await page.close();
    }
    await context.close();
  }
  await browser.close();
  console.log(JSON.stringify(found));
})().catch((e) => { console.error(e); process.exit(1); });
