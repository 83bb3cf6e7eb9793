// Verifies deliveries with npm's standardwebhooks. Standard input is a JSON array of
// {"headers": {NAME: VALUE}, "body": TEXT}; the argument is the secret. It prints how many were accepted,
// and fails if one is refused, or if one is accepted after its body was changed.
const { Webhook } = require("standardwebhooks");
const deliveries = JSON.parse(require("fs").readFileSync(0, "utf8"));
const webhook = new Webhook(process.argv[2]);
for (const { headers, body } of deliveries) {
  webhook.verify(body, headers);
  let refused = false;
  try {
    webhook.verify(body + " ", headers);
  } catch {
    refused = true;
  }
  if (!refused) throw new Error("accepted a changed body: " + body);
}
console.log(deliveries.length);
