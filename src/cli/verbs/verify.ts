import { answered } from '../../client/caller.js';
import { UsageError } from '../failure.js';
import { callsOf, documentCall, publicDocument } from '../public-document.js';
import { dataOf } from '../values.js';
import type { Verb } from '../verb.js';

/** Parses a number of requests, 0 included. @throws UsageError */
function countOf(text: string, source: string): number {
  if (!/^[0-9]{1,7}$/.test(text)) throw new UsageError(`${source} is "${text}"; expected a whole number of up to 7 digits.`);
  return Number(text);
}

export const verify: Verb = {
  name: 'verify',
  group: 'verdict',
  summary: 'Check how many times clients called an operation. Default: at least once. --timeout waits for the requests.',
  args: [
    {
      name: 'operationId',
      meaning: 'Operation id of the payments API, for example createWithdrawal. Omit it with --data.',
      isOptional: true,
    },
  ],
  options: [
    { name: 'count', value: 'number', meaning: 'Exact number of requests.' },
    { name: 'at-least', value: 'number', meaning: 'Minimum number of requests.' },
    { name: 'at-most', value: 'number', meaning: 'Maximum number of requests.' },
    { name: 'data', value: 'json|@file', meaning: 'The whole request body instead, with match, sequence and other fields.' },
  ],
  examples: [
    'crossborder-sandbox verify createWithdrawal --at-most 1000',
    'crossborder-sandbox verify listAccounts --at-least 1 --timeout 5s',
    `crossborder-sandbox verify --data '{"match":{"operationId":"listAccounts"},"atLeast":1}' --json`,
  ],
  exits: { 1: 'the expectation does not hold', 4: 'inconclusive' },
  calls: ['POST /_sandbox/requests/verify', documentCall],
  run: async (invocation) => {
    const { control, args, given, out, timeoutMs, signal } = invocation;
    const [data, count, atLeast, atMost] = ['data', 'count', 'at-least', 'at-most'].map((each) => given.text(each));
    if ((data === undefined) === (args[0] === undefined)) throw new UsageError('Give either an operation or --data.');
    if (args[0] !== undefined) callsOf(await publicDocument(invocation), args[0], 'The operation');
    const asked = {
      match: { operationId: args[0] },
      ...(count === undefined ? {} : { count: countOf(count, '--count') }),
      ...(atLeast === undefined ? {} : { atLeast: countOf(atLeast, '--at-least') }),
      ...(atMost === undefined ? {} : { atMost: countOf(atMost, '--at-most') }),
      ...(timeoutMs === undefined ? {} : { withinMs: timeoutMs }),
    };
    const body = (data === undefined ? asked : await dataOf(data, '--data', invocation)) as never;
    const answer = await answered(control.POST('/_sandbox/requests/verify', { body, signal }));
    out.show(answer, [`Verified: ${answer.count} matching requests.`]);
  },
};
