// Takes README's picture of the demo: a month in English, once its caches are warm.
//
//	node picture.js URL DAY FILE
const { chromium } = require("playwright-core");

const [url, day, file] = process.argv.slice(2);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 940 }, colorScheme: "light" });
  await page.goto(`${url}#language=en&day=${day}&view=month`);
  for (let i = 0; i < 3; i++) {
    await page.reload();
    await page.waitForSelector("html[data-shown]", { timeout: 60_000 });
  }
  await page.screenshot({ path: file });
  await browser.close();
})().catch((e) => { console.error(e); process.exit(1); });
