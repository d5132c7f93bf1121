import { readFileSync, writeFileSync } from 'node:fs';
import { yamlText } from '../web/document.js';
import { scenarioJsonSchema } from '../scenario/json-schema.js';
import { startServer } from '../server/server.js';
import { readSettings } from '../server/options.js';

/**
 * Writes the OpenAPI documents of both planes, as the server serves them, to `openapi/`, and the JSON Schema of scenario files.
 * With `--check` it writes nothing and fails when a committed document differs.
 */
const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'error'], {}));
const files: [string, string][] = [];
for (const [name, path] of [
  ['public', '/openapi.json'],
  ['control', '/_sandbox/openapi.json'],
] as const) {
  const text = await (await fetch(server.url + path)).text();
  files.push([`openapi/${name}.json`, `${text}\n`], [`openapi/${name}.yaml`, yamlText(JSON.parse(text))]);
}
await server.close();
files.push(['scenarios/schema.json', `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`]);

const isCurrent = (file: string, content: string) => {
  try {
    return readFileSync(file, 'utf8') === content;
  } catch {
    return false;
  }
};
const stale = files.filter(([file, content]) => !isCurrent(file, content)).map(([file]) => file);
if (!process.argv.includes('--check')) for (const [file, content] of files) writeFileSync(file, content);
else if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run "npm run openapi" and commit the result.`);
  process.exitCode = 1;
}
