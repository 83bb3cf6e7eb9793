// Shows a month in FullCalendar on a page of another origin, with a program from the README.
// Prints the range and the events on the page as JSON.
//
//	node fullcalendar.js PAGE DAY <PROGRAM
const { chromium } = require("playwright-core");
const fs = require("node:fs");
const path = require("node:path");

const [url, day] = process.argv.slice(2);
const library = (name, file) => path.join(path.dirname(require.resolve(`${name}/package.json`)), file);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext({ timezoneId: "Europe/Prague" });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const messages = [];
  page.on("pageerror", (e) => messages.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error") messages.push(m.text()); });
  await page.goto(url);
  await page.addScriptTag({ path: library("ical-1", "build/ical.js") });
  await page.addScriptTag({ path: library("fullcalendar", "index.global.js") });
  await page.addScriptTag({ path: library("@fullcalendar/icalendar", "index.global.js") });
  await page.evaluate((day) => {
    globalThis.shown = new Map();
    const { Calendar } = globalThis.FullCalendar;
    globalThis.FullCalendar.Calendar = class extends Calendar {
      constructor(element, options) {
        const local = (at) => at && new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace("T", " ");
        super(element, {
          ...options, initialDate: day, firstDay: 1,
          loading: (busy) => { globalThis.loaded = !busy; },
          eventDidMount: ({ event: e }) => {
            const entry = { title: e.title, start: local(e.start), end: local(e.end || e.start), allDay: e.allDay };
            globalThis.shown.set(JSON.stringify(entry), entry);
          },
        });
        globalThis.calendar = this;
      }
    };
  }, day);
  await page.addScriptTag({ content: fs.readFileSync(0, "utf8") });
  await page.waitForFunction(() => globalThis.loaded && document.querySelector(".fc-event"), null, { polling: 50 });
  const events = await page.evaluate(() => [...globalThis.shown.values()]);
  const days = await page.locator(".fc-daygrid-day").evaluateAll((all) => all.map((d) => d.dataset.date));
  await browser.close();
  console.log(JSON.stringify({ messages, events, from: days[0], to: days.at(-1) }));
})().catch((e) => { console.error(e); process.exit(1); });
