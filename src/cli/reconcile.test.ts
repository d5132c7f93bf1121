import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../client/sandbox.js';
import type { WorldClient } from '../client/world.js';
import { ReconciliationError, startSandbox, type RunningSandbox } from '../index.js';
import { livelyWorld, runCommandLine as typed } from '../testing/command-line.js';
import { temporaryDirectory } from '../testing/process.js';

let sandbox: RunningSandbox;
let world: WorldClient;
let id: string;
const directory = temporaryDirectory();
beforeAll(async () => {
  sandbox = await startSandbox();
  world = await livelyWorld(connect({ url: sandbox.url }));
  id = (await world.operations().first())!.id;
  await world.operation(id).complete();
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true });
});

const run = (line: string, input = '') =>
  typed(`crossborder-sandbox reconcile ${line}`, { environment: { SANDBOX_URL: sandbox.url }, input });

/** Writes a file. @returns its path */
function file(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
}

describe('the command reconcile', () => {
  it('exits with 0 if the records agree', async () => {
    const records = JSON.stringify({ operations: [{ id, status: 'COMPLETED' }] });
    expect(await run('-', records)).toMatchObject({ code: 0, stdout: 'AGREED: 1 row without a difference.\n' });
  });

  it('exits with 1 if the records differ, and shows the first difference with its cause and advice', async () => {
    const path = file('sent.json', JSON.stringify({ operations: [{ ref: 'pay_17', id, status: 'sent' }] }));
    const statuses = file('statuses.json', '{"sent":["REQUESTED"]}');
    const { code, stdout } = await run(`${path} --statuses ${statuses}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^1 difference; the first: operation [0-9a-f-]{36} has been COMPLETED since .*, your records say "sent" \(99\.00 BRL\)\.$/m,
    );
    expect(stdout).toMatch(/^ {2}because {2}POST \/_sandbox\/operations/m);
    expect(stdout).toMatch(/^ {2}advice {3}/m);
  });

  it('reads CSV with mapped columns, and names the ignored columns', async () => {
    const path = file('payments.csv', `provider_ref,state,note\n${id},COMPLETED,x\n`);
    const { code, stderr } = await run(`${path} --section operations --map provider_ref:id,state:status`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Ignored columns: note\n' });
  });

  it.each([
    ['invalid rows', '{"operations":[{"id":7}]}', '-', /operations\[0\]\.id: expected a string/],
    ['input that is not JSON', 'id\n1\n', '-', /For CSV, give --section\./],
    ['an unknown section', 'id\n1\n', '- --section payments', /--section is "payments"/],
  ])('exits with 2 for %s', async (_name, input, line, message) => {
    expect(await run(line, input)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
  });
});

describe('world.reconcile', () => {
  const records = () => ({ operations: [{ id, status: 'REQUESTED' }], complete: ['operations' as const] });

  it('throws an error with the differences', async () => {
    const error: unknown = await world.reconcile(records()).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ReconciliationError);
    const { message, differences } = error as ReconciliationError;
    expect(message.split('\n')[0]).toMatch(/^2 differences; the first: operation /);
    expect(differences.map(({ kind }) => kind).toSorted()).toEqual(['NOT_BOOKED', 'WRONG_STATUS']);
  });

  it('returns the result if `throws` is false or the records agree', async () => {
    expect(await world.reconcile(records(), { throws: false })).toMatchObject({ verdict: 'DIFFERENT' });
    expect(await world.reconcile({ operations: [{ id, status: 'COMPLETED' }] })).toMatchObject({ verdict: 'AGREED' });
  });
});
