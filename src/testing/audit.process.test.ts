import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './root.js';
import { temporaryDirectory } from './process.js';

/** Runs the audit with a fake npm that prints this output. */
function audited(answer: unknown) {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'answer.json'), JSON.stringify(answer));
  writeFileSync(join(directory, 'npm'), `#!/bin/sh\ncat ${join(directory, 'answer.json')}\nexit 1\n`);
  chmodSync(join(directory, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${directory}${delimiter}${process.env['PATH']}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/audit.mjs'], { cwd: root, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const advisory = { title: 'Reads too much', url: 'https://advisories.example/1', severity: 'high' };
const affected = (name: string, via: unknown[]) => ({ [name]: { name, range: '<99.0.0', via } });

it('the audit fails for a vulnerability of a bundled package and names it', () => {
  const { status, stderr } = audited({ vulnerabilities: affected('hono', [advisory]) });
  expect(status).toBe(1);
  expect(stderr).toBe('hono <99.0.0: high: Reads too much https://advisories.example/1\n');
});

it('the audit passes for a vulnerability of a package that is not bundled', () => {
  const { status, stdout } = audited({ vulnerabilities: { ...affected('vitest', [advisory]), ...affected('hono', ['vitest']) } });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^No known vulnerability in \d\d+ bundled packages\.\n$/);
});

it('the audit reports that it was skipped if the registry does not support audits', () => {
  const { status, stdout } = audited({ message: '405 Method Not Allowed' });
  expect([status, stdout]).toEqual([0, 'Skipped: the registry answers no audits (405 Method Not Allowed).\n']);
});

it('both stages of the container image use the base image that is pinned by digest', () => {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(image).toMatch(/^ARG NODE_IMAGE=docker\.io\/library\/node:\S+@sha256:[0-9a-f]{64}$/m);
  expect(image.match(/^FROM .*$/gm)).toEqual(['FROM ${NODE_IMAGE} AS build', 'FROM ${NODE_IMAGE}']);
});
