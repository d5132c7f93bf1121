import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { maxReadReplayBytes } from '../contract/control/analysis/replay-limits.js';
import { ReplaySchema } from '../contract/control/analysis/replay.js';
import { readReplay } from '../console/replay/read-replay.js';
import { useHarness } from './harness.js';
import { withdraw } from './withdrawals.js';

type Json = Record<string, unknown>;

/** Returns all paths in a value, of objects and lists too. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

/** Returns a copy of a file with another value at a path; without the field for undefined. */
function changed(file: Json, path: readonly string[], value: unknown): Json {
  const copy = structuredClone(file);
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Json;
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return copy;
}

const errorOf = async (name: string, content: string | Uint8Array<ArrayBuffer>): Promise<string> =>
  readReplay(new File([content], name)).then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  );

describe('a replay file in the browser', () => {
  const harness = useHarness();
  let file: Json;

  beforeAll(async () => {
    const hooks = { url: 'http://localhost:9001/', includeAll: true };
    await harness.api('POST', '/api/subscriptions', { body: hooks });
    await harness.control('POST', '/faults', { on: 'REQUEST', times: 1, effect: { status: 503 } });
    await harness.api('GET', '/api/accounts');
    await withdraw(harness, 'default', '10.00');
    await harness.control('POST', '/clock/advance', { by: 'PT1M' });
    const { body } = await harness.control('GET', '/replay');
    const all = new Map((body as unknown as { steps: { kind: string }[] }).steps.map((step) => [step.kind, step]));
    const steps = ['CALL', 'CONTROL', 'ATTEMPT'].map((kind) => all.get(kind));
    const finding = { id: 'F1', rule: 'payment.repeated', severity: 'ERROR', title: 'Twice', count: 1, state: 'NEW', fingerprint: 'a' };
    const ends = { ...(body['ends'] as Json), findings: [finding], failedVerifications: ['expected 1'] };
    const about = { name: 'pays', file: 'a.test.ts', failure: 'no', runner: 'vitest', commit: '8f', runUrl: 'https://ci.example.com/' };
    file = { ...body, steps, ends, test: { ...(body['test'] as Json), ...about }, complete: false, cutFrom: 4 };
    ReplaySchema.parse(file);
  });

  it('opens exactly if a replay accepts it: a missing or wrong value is named with its position', async () => {
    let wrongValues = 0;
    for (const path of pathsIn(file).slice(1)) {
      if (path.at(-1) === 'replay' || /^\d+$/.test(path.at(-1)!)) continue;
      for (const value of [undefined, { wrong: Symbol.iterator.toString() }, -1.5]) {
        const given = changed(file, path, value);
        const message = await errorOf('a.replay.json', JSON.stringify(given));
        if (ReplaySchema.safeParse(given).success) expect(message).toBe('no error');
        else {
          const shown = path.join('.').replace(/^steps\.(\d+)/, (_, index) => `step ${Number(index) + 1}`);
          expect(message, `${path.join('.')} = ${JSON.stringify(value)}`).toContain(`replay file: ${shown}`);
          wrongValues += 1;
        }
      }
    }
    expect(wrongValues).toBeGreaterThan(100);
  });

  it('is read with and without gzip, and an unreadable one is named with its problem', async () => {
    const text = JSON.stringify(file);
    const plain = await readReplay(new File([text], 'a.replay.json'));
    expect(plain.steps.map(({ kind }) => kind)).toEqual((file['steps'] as Json[]).map(({ kind }) => kind));
    expect(await readReplay(new File([gzipSync(text)], 'a.replay.json.gz'))).toEqual(plain);
    expect(await errorOf('half.gz', gzipSync(text).subarray(0, 200))).toBe('half.gz cannot be read: it is not a complete gzip file.');
    expect(await errorOf('bomb.gz', gzipSync(Buffer.alloc(maxReadReplayBytes + 1)))).toBe(
      'bomb.gz cannot be read: it has more than 8.0 MiB after decompression; expected at most 8.0 MiB.',
    );
    expect(await errorOf('big.json', ' '.repeat(9 * 1024 * 1024))).toBe(
      'big.json cannot be read: it has 9.0 MiB; expected at most 8.0 MiB.',
    );
    expect(await errorOf('photo.json', 'PNG')).toContain('photo.json is not valid JSON, so it is damaged or not a replay file: ');
    for (const other of ['null', '[]', '"x"', '7', '{}'])
      expect(await errorOf('other.json', other)).toContain('other.json is not a replay file: it has no field "replay". Open a file like');
    expect(await errorOf('new.json', JSON.stringify({ replay: 2, madeBy: { version: '9.0.0' } }))).toBe(
      'new.json has format 2 from crossborder-sandbox 9.0.0; this version reads format 1. Install that version or a later version.',
    );
    expect(await errorOf('odd.json', '{"replay":"1"}')).toBe('odd.json is damaged, or not a replay file: replay: expected 1, got "1".');
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    const nested = JSON.stringify(changed(file, ['steps', '0', 'effect'], 'deep')).replace('"deep"', deep);
    expect(await errorOf('deep.json', nested)).toBe('no error');
    expect(await errorOf('many.json', JSON.stringify({ ...file, steps: Array.from({ length: 20_001 }, () => null) }))).toBe(
      'many.json is damaged, or not a replay file: steps: expected at most 20000 items, got 20001.',
    );
  });
});
