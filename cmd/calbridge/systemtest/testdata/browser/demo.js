// Uses the demo's page in Chromium as somebody would, by mouse and by keyboard, and prints what
// it saw as JSON.
//
//	node demo.js URL TODAY
const { chromium } = require("playwright-core");

const [url, today] = process.argv.slice(2);
const saw = { messages: [], months: {} };
let browser;

// open opens a window at an address of the page, such as #view=week.
async function open(hash, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.on("pageerror", (e) => saw.messages.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error") saw.messages.push(m.text()); });
  await page.goto(url + hash);
  if (options.javaScriptEnabled !== false) await drawn(page);
  return page;
}

const drawn = (page) => page.waitForSelector("html[data-shown]");

// after does something that makes the page show something else, and waits until it does.
async function after(page, act) {
  const before = await page.evaluate(() => document.documentElement.dataset.shown);
  await act();
  await page.waitForFunction((before) => ![undefined, before].includes(document.documentElement.dataset.shown), before, { polling: 20 });
}

// focused describes what has the focus.
const focused = (page) => page.evaluate(() => {
  const e = document.activeElement;
  return e.id || e.dataset.event || e.closest("[data-day]")?.dataset.day || e.tagName;
});

const texts = (page, selector) => page.locator(selector).allTextContents();

// month looks at a month: its names of days, its cells and its events.
const month = (page) => page.evaluate(() => ({
  lang: document.documentElement.lang,
  town: document.querySelector("#town").textContent,
  heading: document.querySelector("#heading").textContent,
  path: document.querySelector("#address").value,
  names: [...document.querySelectorAll("[role=columnheader]")].map((e) => e.getAttribute("aria-label")),
  rows: [...document.querySelectorAll("[role=row]")].slice(1).map((row) => row.querySelectorAll("[role=gridcell]").length),
  days: [...document.querySelectorAll("[role=gridcell]")].map((e) => e.dataset.day),
  others: document.querySelectorAll(".other").length,
  current: [...document.querySelectorAll("[aria-current=date]")].map((e) => e.closest("[data-day]").dataset.day),
  // Each event with the days that it covers: a bar is as wide as its days.
  events: [...document.querySelectorAll("[role=gridcell] .event")].map((e) => {
    const cell = e.closest("[role=gridcell]");
    return { id: Number(e.dataset.event), day: cell.dataset.day, days: Math.max(1, Math.round(e.getBoundingClientRect().width / cell.getBoundingClientRect().width)), colour: e.className.match(/colour\d|none/)?.[0] };
  }),
  legend: [...document.querySelectorAll("#legend li")].map((e) => e.className),
}));

async function months() {
  const page = await open("", { locale: "de-DE" });
  for (const language of ["de", "cs", "en"]) {
    if (language !== "de") await after(page, () => page.click(`#languages [lang=${language}]`));
    saw.months[language] = await month(page);
  }
  saw.links = await page.evaluate(() => [...document.querySelectorAll("#links a, #subscribe")].map((a) => a.href));
  saw.source = await page.textContent("#answer");
  saw.note = await page.textContent("#note");
  saw.examples = await page.evaluate(() => [...document.querySelectorAll("#examples option")].map((o) => o.value));
  saw.code = {};
  for (const program of ["curl", "fetch", "Python", "PHP"]) {
    await page.click(`#tab-${program}`);
    saw.code[program] = await page.textContent("#code");
  }
  await page.context().close();
}

async function views() {
  const page = await open("#language=en");
  await after(page, () => page.click("#views [data-view=week]"));
  saw.week = { heading: await page.textContent("#heading"), ...(await month(page)), blocks: await texts(page, ".block") };
  await after(page, () => page.click("#views [data-view=list]"));
  saw.list = { entries: await texts(page, ".entry"), days: await texts(page, ".days h3"), current: await page.locator("[aria-current=date]").count() };
  await after(page, () => page.click("[aria-current=date]"));
  saw.day = await texts(page, ".entry");
  await after(page, () => page.fill("#search", "jazz"));
  saw.found = { heading: await page.textContent("#heading"), entries: await texts(page, ".entry") };
  await after(page, () => page.fill("#search", "half marathon"));
  await after(page, () => page.click(".entry >> nth=0"));
  saw.event = {
    facts: Object.fromEntries(await page.evaluate(() => [...document.querySelectorAll(".facts div")].map((e) => [e.firstChild.textContent, e.lastChild.textContent]))),
    add: await page.evaluate(() => document.querySelector("#add").href),
    pictures: await page.locator("article img").count(),
  };
  await after(page, () => page.keyboard.press("Escape"));
  await after(page, () => page.fill("#search", ""));
  await after(page, () => page.click("#back"));
  await page.waitForSelector("[role=grid].month");
  await page.context().close();
}

// keyboard goes through a month by the keyboard, and counts the stops of Tab within it.
async function keyboard() {
  const page = await open("#language=en");
  await page.focus("[aria-current=date]");
  saw.keys = {};
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End"]) {
    await page.focus(`[data-day="${today}"] .date`).catch(() => {});
    await page.keyboard.press(key);
    await drawn(page);
    saw.keys[key] = await focused(page);
    await page.goto(`${url}#language=en&day=${today}`);
    await page.reload();
    await drawn(page);
  }
  await page.focus(`[data-day="${today}"] .date`);
  await after(page, () => page.keyboard.press("PageDown"));
  saw.keys.PageDown = await focused(page);
  await after(page, () => page.keyboard.press("PageUp"));
  saw.keys.PageUp = await focused(page);
  saw.stops = await page.evaluate(() => {
    const tabbable = [...document.querySelectorAll("[role=grid] button")].filter((b) => b.tabIndex === 0);
    return { tabbable: tabbable.length, inDay: document.querySelectorAll(`[data-day="${tabbable[0].closest("[data-day]").dataset.day}"] button`).length };
  });
  // The same in a week.
  await after(page, () => page.click("#views [data-view=week]"));
  await page.focus(`[data-day="${saw.keys.PageUp}"] .date`);
  await after(page, () => page.keyboard.press("PageDown"));
  saw.week.keys = { PageDown: await focused(page) };
  await page.keyboard.press("Home");
  saw.week.keys.Home = await focused(page);
  await after(page, () => page.keyboard.press("ArrowLeft"));
  saw.week.keys.ArrowLeft = await focused(page);
  await after(page, () => page.click("#views [data-view=month]"));
  // An event is opened and left again.
  const event = await page.evaluate(() => document.querySelector("[role=grid] .event").dataset.event);
  await page.focus(`[data-event="${event}"]`);
  await after(page, () => page.keyboard.press("Enter"));
  saw.opened = await focused(page);
  await after(page, () => page.keyboard.press("Escape"));
  saw.left = [event, await focused(page)];
  await after(page, () => page.click(`[data-event="${event}"] >> nth=0`));
  await after(page, () => page.click("#back"));
  saw.wentBack = [event, await focused(page)];
  await page.context().close();
}

// changes an event while a second window stays on the month.
async function change() {
  const page = await open("#language=en");
  const second = await open("#language=en");
  await after(page, () => page.click("[role=grid] .event >> nth=0"));
  const title = `Changed ${Date.now()}`;
  await page.fill("#edit-title", title);
  await page.keyboard.press("Enter");
  await page.waitForFunction((title) => document.querySelector("#heading").textContent === title, title, { polling: 20 });
  saw.saved = { news: await page.textContent("#news"), focus: await focused(page), answer: await page.textContent("#answer") };
  await page.click("#save");
  await page.waitForTimeout(300);
  saw.savedAgain = await focused(page);
  await second.waitForFunction((title) => [...document.querySelectorAll(".event.new")].some((e) => e.textContent.includes(title)), title, { polling: 50 });
  saw.told = await second.textContent("#news");
  await second.waitForFunction(() => document.querySelector("#news").textContent === "", null, { polling: 100, timeout: 20_000 });
  await second.context().close();
  // A request of one's own, with a body.
  await page.selectOption("#method", "POST");
  await page.fill("#address", (await page.inputValue("#address")).replace(/\/events\/\d+$/, "/events"));
  await page.fill("#payload", JSON.stringify({ title: "Made by hand", start_date: `${today} 18:00:00`, end_date: `${today} 19:00:00`, status: "publish" }));
  await page.click("#send");
  await page.waitForFunction(() => document.querySelector("#answer").textContent.includes("POST"), null, { polling: 20 });
  saw.posted = await page.textContent("#answer");
  const made = JSON.parse(await page.textContent("#body")).id;
  await after(page, () => page.click("#back"));
  await page.waitForFunction(() => [...document.querySelectorAll(".event")].some((e) => e.textContent.includes("Made by hand")), null, { polling: 50 });
  await page.selectOption("#method", "PUT");
  await page.fill("#address", `${(await page.inputValue("#address")).split("?")[0]}/${made}`);
  await page.fill("#payload", JSON.stringify({ status: "draft" }));
  await page.click("#send");
  await page.waitForFunction(() => document.querySelector("#answer").textContent.includes("PUT"), null, { polling: 20 });
  saw.withdrawn = await page.textContent("#answer");
  await page.waitForFunction(() => ![...document.querySelectorAll(".event")].some((e) => e.textContent.includes("Made by hand")), null, { polling: 50 });
  await page.context().close();
}

// phone opens days on a narrow screen: today, and one without events.
async function phone() {
  const page = await open("#language=en", { viewport: { width: 360, height: 740 }, hasTouch: true });
  saw.phone = { narrowest: await page.evaluate(() => Math.min(...[...document.querySelectorAll("[role=grid] .date")].flatMap((b) => [b.getBoundingClientRect().width, b.getBoundingClientRect().height]))) };
  await after(page, () => page.tap("[aria-current=date]"));
  saw.phone.today = await page.textContent("#heading");
  await page.goto(`${url}#language=en&day=2000-01-15`);
  await page.reload();
  await drawn(page);
  await after(page, () => page.tap('[data-day="2000-01-20"] .date'));
  saw.phone.empty = await page.textContent("#view");
  await after(page, () => page.tap("#today"));
  saw.phone.back = await page.textContent("#heading");
  await page.context().close();
}

async function withoutScripts() {
  const page = await open("", { javaScriptEnabled: false });
  saw.noscript = await page.evaluate(() => document.body.innerText).catch(() => "");
  if (!saw.noscript) saw.noscript = await page.innerText("body");
  await page.context().close();
}

(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  for (const part of [months, views, keyboard, change, phone, withoutScripts]) await part();
  await browser.close();
  console.log(JSON.stringify(saw));
})().catch((e) => { console.error(e, JSON.stringify(saw)); process.exit(1); });
