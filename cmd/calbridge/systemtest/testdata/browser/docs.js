// Tries the API's page in Chromium: finds an operation, fills in a parameter, sends it, and then
// one that needs a login. Prints what it saw as JSON.
//
//	node docs.js URL USER:PASSWORD
const { chromium } = require("playwright-core");

const [url, login] = process.argv.slice(2);

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const saw = { messages: [] };
  page.on("pageerror", (e) => saw.messages.push(String(e)));
  await page.goto(url);
  await page.waitForSelector("nav button");
  saw.operations = await page.locator("nav button").count();
  const send = async () => {
    await page.click("button.send");
    await page.waitForFunction(() => document.querySelector("#answer").textContent !== "", null, { polling: 100 });
    return { answer: await page.textContent("#answer"), body: (await page.textContent("#body")).slice(0, 300), headers: await page.textContent("#headers") };
  };
  await page.fill("#filter", "get /venues");
  await page.click("nav button >> nth=0");
  await page.fill("#field-per_page", "1");
  saw.list = await send();
  // Drafts are for those who may edit events.
  await page.fill("#filter", "get /events");
  await page.click("nav button >> nth=0");
  await page.fill("#field-status", "draft");
  saw.refused = await send();
  await page.click("nav button >> nth=0");
  await page.fill("#field-status", "draft");
  await page.fill("fieldset:last-of-type .field:nth-of-type(1) input", login.split(":")[0]);
  await page.fill("input[type=password]", login.slice(login.indexOf(":") + 1));
  saw.allowed = await send();
  await browser.close();
  console.log(JSON.stringify(saw));
})().catch((e) => { console.error(e); process.exit(1); });
