// Prints the rows of a table's changes in a binary log, as npm's @vlasky/zongji reads them:
// a line of JSON for each image of a row, until the row in the table "done".
//
//	node rows.js SOCKET SCHEMA FILE
const { createRequire } = require('module');
const { pathToFileURL } = require('url');
const [socketPath, schema, filename] = process.argv.slice(2);

function plain(value) {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'number': case 'bigint': return { number: String(value) };
    case 'string': return { text: value };
  }
  return Buffer.isBuffer(value) ? { bytes: value.toString('hex') } : { other: true };
}

async function main() {
  const found = require.resolve('@vlasky/zongji'); // where NODE_PATH leads
  const { default: ZongJi } = await import(pathToFileURL(found));
  const log = new ZongJi({ socketPath, user: 'root', supportBigNumbers: true, bigNumberStrings: true, dateStrings: true });
  const fail = (err) => { console.error(err); process.exit(1); };
  log.on('error', fail);
  log.on('binlog', (event) => {
    if (!event.rows) return;
    const table = event.tableMap[event.tableId];
    if (table.tableName === 'done') return process.exit(0);
    const names = table.columns.map((c) => c.name);
    const action = event.getTypeName().replace(/Rows.*/, '').toLowerCase();
    for (const row of event.rows) {
      const images = row.before ? [row.before, row.after] : [row];
      for (const image of images) console.log(JSON.stringify({ action, values: names.map((n) => plain(image[n])) }));
    }
  });
  await log.start({ filename, position: 4, serverId: 4711, includeEvents: ['tablemap', 'writerows', 'updaterows', 'deleterows', 'rotate'], includeSchema: { [schema]: true } });
}
main();
