// Reads an OpenAPI document with the tools that people use, and exits with 1 if one of them refuses it.
const fs = require("fs"), path = require("path"), { spawnSync } = require("child_process");
const file = process.argv[2], document = JSON.parse(fs.readFileSync(file, "utf8"));
const bin = (name, which) => {
  const manifest = require.resolve(`${name}/package.json`), { bin } = require(manifest);
  return path.join(path.dirname(manifest), typeof bin === "string" ? bin : bin[which]);
};
const problems = [];
function run(what, program, ...args) {
  const done = spawnSync(process.execPath, [program, ...args], { encoding: "utf8", cwd: path.dirname(file) });
  if (done.status !== 0) problems.push(`${what}:\n${done.stdout}${done.stderr}`);
}

(async () => {
  await require("@apidevtools/swagger-parser").validate(file).catch((e) => problems.push(`swagger-parser: ${e.message}`));
  run("redocly", bin("@redocly/cli", "redocly"), "lint", file);

  const ajv = new (require("ajv/dist/2020").default)({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
  require("ajv-formats").default(ajv);
  ajv.addVocabulary(["components"]);
  ajv.addSchema({ $id: "doc", components: document.components });
  for (const name of Object.keys(document.components.schemas)) {
    try {
      ajv.compile({ $ref: `doc#/components/schemas/${name}` });
    } catch (e) {
      problems.push(`ajv: ${name}: ${e.message}`);
    }
  }

  const types = path.join(path.dirname(file), "api.d.ts"), use = path.join(path.dirname(file), "use.ts");
  run("openapi-typescript", bin("openapi-typescript", "openapi-typescript"), file, "-o", types);
  fs.writeFileSync(use, `import type { components, operations } from "./api";
const event = {} as components["schemas"]["Event"];
export const width: number | undefined = event.image ? event.image.width : undefined;
export const created: operations["createEvent"]["requestBody"]["content"]["application/json"] = { title: "x", start_date: "2027-01-01", end_date: "2027-01-01" };
// @ts-expect-error: the title is required
export const untitled: typeof created = { start_date: "2027-01-01", end_date: "2027-01-01" };
export type Page = operations["listEvents"]["responses"][200]["headers"]["X-TEC-Total"];
export const total: Page = 5;
`);
  run("TypeScript", bin("typescript", "tsc"), "--noEmit", "--strict", "--skipLibCheck", "false", use);
  if (problems.length) {
    console.error(problems.join("\n\n"));
    process.exitCode = 1;
  }
})();
