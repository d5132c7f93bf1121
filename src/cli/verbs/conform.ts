import { existsSync } from 'node:fs';
import { conformityOf, junitOf, linesOf, sorted } from '../conform/summary.js';
import { NotFoundError, UsageError } from '../failure.js';
import type { Verb } from '../verb.js';

const formats = ['text', 'json', 'junit'] as const;

export const conform: Verb = {
  name: 'conform',
  group: 'verdict',
  summary: 'Compare recorded traffic of the real service with the contract. Needs no sandbox.',
  args: [{ name: 'recording.har', meaning: 'HTTP archive with the traffic, optionally gzipped (.har.gz).' }],
  options: [
    { name: 'strip', value: 'prefix', meaning: 'Start of the recorded paths before /api, for example /payments.' },
    { name: 'format', value: 'text|json|junit', meaning: 'Format of the output.', usual: 'text' },
  ],
  examples: [
    'crossborder-sandbox conform recording.har',
    'crossborder-sandbox conform recording.har --strip /payments',
    'crossborder-sandbox conform recording.har --format junit',
  ],
  exits: { 0: 'no breaking difference', 1: 'a breaking difference' },
  calls: [],
  run: async ({ args, given, out }) => {
    const [path = ''] = args;
    const format = given.text('format') ?? (out.isJson ? 'json' : 'text');
    if (!formats.some((each) => each === format)) throw new UsageError(`--format is "${format}"; expected ${formats.join(', ')}.`);
    const prefix = given.text('strip') ?? '';
    if (prefix !== '' && !prefix.startsWith('/')) throw new UsageError(`--strip is "${prefix}"; expected a path, for example /payments.`);
    if (!existsSync(path))
      throw new NotFoundError(`There is no file ${path}. Record one in a browser, a proxy or your client, as an HTTP archive.`);
    const found = await conformityOf(path, prefix).catch((error: unknown) => {
      throw new UsageError(`${path} is not an HTTP archive: ${(error as Error).message}.`);
    });
    const differences = sorted(found);
    if (format === 'junit') out.line(junitOf(found));
    else if (format === 'json') {
      const { compared, ignored, omitted } = found;
      out.line(JSON.stringify({ compared, ignored, operations: Object.fromEntries(found.operations), differences, omitted }, null, 2));
    } else for (const line of linesOf(found)) out.line(line);
    return differences.some(({ isBreaking }) => isBreaking) ? 1 : 0;
  },
};
