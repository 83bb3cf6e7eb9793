// Uses the demo's page in Chromium as somebody would: the month in three languages, a day, an
// event, a request of its own, and a change of an event, which a second window shows without
// reloading. Prints what it saw as JSON.
//
//	node demo.js URL [SCREENSHOT]
const { chromium } = require("playwright-core");

const [url, screenshot] = process.argv.slice(2);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(60_000);
  const saw = { months: {}, messages: [] };
  const open = async (url) => {
    const page = await context.newPage();
    page.on("pageerror", (e) => saw.messages.push(String(e)));
    page.on("console", (m) => { if (m.type() === "error") saw.messages.push(m.text()); });
    await page.goto(url);
    await page.waitForSelector("ol.month ul.events");
    return page;
  };
  const page = await open(url);
  for (const language of ["de", "cs", "en"]) {
    await page.click(`#languages button[lang=${language}]`);
    await page.waitForFunction((code) => document.documentElement.lang === code && document.querySelector("#news").textContent === "", language, { polling: 100 });
    saw.months[language] = { heading: await page.textContent("#heading"), town: await page.textContent("#town"), events: await page.locator("ul.events button").count(), path: await page.inputValue("#address") };
  }
  if (screenshot) await page.screenshot({ path: screenshot });
  saw.source = await page.textContent("#answer");
  saw.code = {};
  for (const program of ["curl", "fetch", "Python", "PHP"]) {
    await page.click(`#tab-${program}`);
    saw.code[program] = await page.textContent("#code");
  }
  // A second window stays on the month.
  const second = await open(page.url());
  await page.bringToFront();
  // An event is changed here, with the keyboard.
  await page.focus("ul.events button");
  await page.keyboard.press("Enter");
  await page.waitForSelector("form.edit input[name=title]");
  saw.picture = await page.locator("article img").count();
  const title = `Změněno ${Date.now()}`;
  await page.fill("form.edit input[name=title]", title);
  await page.keyboard.press("Enter");
  await page.waitForFunction((title) => document.querySelector("#heading").textContent === title, title, { polling: 100 });
  saw.put = await page.textContent("#answer");
  const begin = Date.now();
  await second.waitForFunction((title) => [...document.querySelectorAll("ul.events button.new")].some((b) => b.textContent.includes(title)), title, { polling: 100 });
  saw.arrived = Date.now() - begin;
  // The request is editable.
  await page.fill("#address", (await page.inputValue("#address")).replace(/\/events\/\d+$/, "/venues?per_page=1"));
  await page.click("#send");
  await page.waitForFunction(() => document.querySelector("#body").textContent.includes('"venues"'), null, { polling: 100 });
  await page.goBack();
  await page.waitForSelector("ol.month");
  await browser.close();
  console.log(JSON.stringify(saw));
})().catch((e) => { console.error(e); process.exit(1); });
