import { readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { yamlText } from '../api/plane/openapi/document.js';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { z } from '@hono/zod-openapi';
import { ProfileSchema } from '../contract/control/analysis/profile.js';
import { ExplorationSchema } from '../contract/control/analysis/exploration.js';
import { ReplaySchema } from '../contract/control/analysis/replay.js';
import { ReportSchema } from '../contract/control/analysis/report.js';
import { guarantees } from '../contract/scenario/guarantees.js';
import { scenarioJsonSchema } from '../scenario/json-schema.js';
import { controlRoutes } from '../contract/control/routes.js';
import { versions } from '../contract/versions/versions.js';
import { controlDocument } from '../api/control/document.js';
import { publicDocument } from '../api/public/document.js';
import { clientSources, type ClientDocument } from './client-source.js';

/**
 * Writes what the routes determine: the OpenAPI documents of both APIs to `openapi/`, the plain methods and commands to `src/client` and
 * `src/cli`. Also writes the JSON Schemas of scenario files, profiles, reports and replay files.
 * With `--check` it writes nothing, and fails if a committed document differs, or if a document has another content in YAML than in JSON.
 */
const files: [string, string][] = [
  ['public', publicDocument(versions[0]!).json()],
  ['control', JSON.stringify(controlDocument(), null, 2)],
].flatMap(([name, text = '']): [string, string][] => [
  [`openapi/${name}.json`, `${text}\n`],
  [`openapi/${name}.yaml`, yamlText(JSON.parse(text))],
]);
const schemas: [string, unknown][] = [
  ['scenarios/schema.json', scenarioJsonSchema()],
  [
    'profiles/schema.json',
    { title: 'Certification profile of the cross-border sandbox', ...z.toJSONSchema(ProfileSchema, { io: 'input' }) },
  ],
  ['openapi/explore.schema.json', { title: 'Exploration by the cross-border sandbox', ...z.toJSONSchema(ExplorationSchema) }],
  ['openapi/replay.schema.json', { title: 'Replay file of the cross-border sandbox', ...z.toJSONSchema(ReplaySchema) }],
  ['openapi/report.schema.json', { title: 'Report of the cross-border sandbox', ...z.toJSONSchema(ReportSchema) }],
];
files.push(...schemas.map(([file, schema]): [string, string] => [file, `${JSON.stringify(schema, null, 2)}\n`]));

files.push([
  'scenarios/guarantees.yaml',
  `# What the service guarantees, and the deviations that an exploration may try. Written by npm run openapi.\n${stringify(guarantees)}`,
]);

const style = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
for (const [file, text] of Object.entries(clientSources(controlRoutes, controlDocument() as unknown as ClientDocument)))
  files.push([file, (await format(file, text, style)).code]);

const isCurrent = (file: string, content: string) => {
  try {
    return readFileSync(file, 'utf8') === content;
  } catch {
    return false;
  }
};
const stale = files.filter(([file, content]) => !isCurrent(file, content)).map(([file]) => file);
if (!process.argv.includes('--check')) for (const [file, content] of files) writeFileSync(file, content);
else {
  const mistakes = ['public', 'control'].flatMap((name) => yamlMistakes(`openapi/${name}`));
  if (stale.length > 0) mistakes.push(`Out of date: ${stale.join(', ')}. Run "npm run openapi" and commit the result.`);
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
}

/** Returns an error for each version of YAML in which a document has another content than in JSON. */
function yamlMistakes(name: string): string[] {
  const texts = new Map(files);
  const meant: unknown = JSON.parse(texts.get(`${name}.json`)!);
  const differing = (['1.1', '1.2'] as const).filter(
    (version) => !isDeepStrictEqual(parse(texts.get(`${name}.yaml`)!, { version }), meant),
  );
  return differing.map((version) => `${name}.yaml has another content than ${name}.json in YAML ${version}.`);
}
