import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLength } from '../../../testing/long-run.js';
import { hasPython, pythonClient, Stage, undiciClient } from '../../../testing/script-stage.js';
import { hints, rules } from './rules.js';

const stage = new Stage();

beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

it('the page /docs/findings has a section for each rule and each hint', async () => {
  const page = await (await fetch(`${stage.url}/docs/findings`)).text();
  const places = [...page.matchAll(/<section id="([^"]+)">/g)].map(([, id]) => id);
  expect(places).toEqual([...rules, ...hints].map(({ id }) => id));
});

it('the advice on rejected valid webhooks is the formula of X-Message-Signature, which does not cover the body', () => {
  const { advice } = rules.find(({ id }) => id === 'webhook.genuine-refused')!;
  expect(advice).toMatch(/hexadecimal HMAC-SHA256 of `X-Message-Id \+ "\+" \+ clientId`, with the client secret as key, not over the body/);
});

/** Returns every tenth, all in a long run: a second HTTP client shows that the rules do not depend on undici. */
const some = <T>(all: readonly T[]) => all.filter((_each, index) => index % inLength(10, 1) === 0);

const stacks = [
  { name: 'undici', isHere: true, open: undiciClient, tried: { rules, hints } },
  { name: 'the standard library of Python', isHere: hasPython, open: pythonClient, tried: { rules: some(rules), hints: some(hints) } },
];

describe.each(stacks.filter(({ isHere }) => isHere))('the examples of the rules and hints, sent by $name', ({ open, tried }) => {
  const client = open();
  afterAll(() => client.close());

  it.each(tried.rules)(
    'break $id and the rules that it implies if they are invalid, and no rule if they are valid',
    async ({ id, implies = [], examples: { invalid, valid } }) => {
      const broken = await stage.play(client, invalid);
      expect(broken.astray).toEqual([]);
      expect(broken.findings.map(({ rule }) => rule)).toContain(id);
      expect(broken.findings.filter(({ rule }) => rule !== id && !implies.includes(rule))).toEqual([]);
      expect(await stage.play(client, valid)).toEqual({ findings: [], astray: [] });
    },
  );

  it.each(tried.hints)(
    'give the hint $id only if they are invalid and hints are requested',
    async ({ id, implies = [], examples: { invalid, valid } }) => {
      const hinted = await stage.play(client, invalid, true);
      expect(hinted.astray).toEqual([]);
      expect(hinted.findings.map(({ rule }) => rule)).toContain(id);
      const { findings, astray } = await stage.play(client, invalid);
      expect([findings.filter(({ rule }) => !implies.includes(rule)), astray]).toEqual([[], []]);
      const kept = await stage.play(client, valid, true);
      expect(kept.astray).toEqual([]);
      expect(kept.findings.map(({ rule }) => rule)).not.toContain(id);
    },
  );
});
