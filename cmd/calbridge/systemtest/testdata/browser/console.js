// Opens the console with figures of 20 minutes and a day, and prints as JSON what its plots and its
// settings show. The rest of the status is the server's own.
//
//	node console.js URL
const { chromium } = require("playwright-core");

const [url] = process.argv.slice(2);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, timezoneId: "UTC" });
  const found = { messages: [] };
  page.on("pageerror", (e) => found.messages.push(String(e)));
  await page.route("**/stream", (route) => route.abort());
  await page.route("**/status.json", async (route) => {
    const status = await (await route.fetch()).json();
    const end = Date.UTC(2026, 10, 28, 12, 0, 0) / 1000;
    const points = (n, step) => Array.from({ length: n }, (_, i) => ({ at: end - step * (n - 1 - i), values: status.plots.map(() => i) }));
    await route.fulfill({ json: { ...status, hour: points(121, 10), day: points(301, 240) } });
  });
  await page.goto(url);
  const plot = page.locator("figure").first();
  const state = async () => ({
    title: await plot.locator("figcaption span").innerText(), figure: await plot.locator("figcaption b").innerText(),
    y: await plot.locator(".y span").allInnerTexts(), x: await plot.locator(".x span").allInnerTexts(),
    ends: await plot.locator("path.line").evaluate((line) => [0, line.getTotalLength()].map((at) => Math.round(line.getPointAtLength(at).x))),
  });
  found.hour = await state();
  const box = await plot.locator("svg").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  found.pointed = await plot.locator("figcaption b").innerText();
  await page.mouse.move(0, 0);
  found.left = await plot.locator("figcaption b").innerText();
  await page.getByLabel("Show the last").selectOption("5 minutes");
  found.minutes = await state();
  await page.getByLabel("Show the last").selectOption("day");
  found.day = await state();
  const settings = () => page.locator("table[data-rows=settings] tbody tr").allInnerTexts();
  found.changed = await settings();
  found.folded = Number(await page.locator("#defaults-count").innerText());
  await page.getByLabel("Show settings with").fill("namespace");
  found.filtered = await settings();
  await browser.close();
  console.log(JSON.stringify(found));
})().catch((e) => { console.error(e); process.exit(1); });
