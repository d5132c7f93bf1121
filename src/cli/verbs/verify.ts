import { answered } from '../../client/caller.js';
import { UsageError } from '../failure.js';
import { callsOf, documentCall, publicDocument } from '../public-document.js';
import { dataOf } from '../values.js';
import type { Verb } from '../verb.js';

/** A number of calls, which may be none. @throws UsageError */
function countOf(text: string, source: string): number {
  if (!/^[0-9]{1,7}$/.test(text)) throw new UsageError(`${source} is "${text}"; expected a whole number.`);
  return Number(text);
}

/** The verb that checks how often something was called. */
export const verify: Verb = {
  name: 'verify',
  group: 'verdict',
  summary: 'Checks how often clients called an operation, at least once unless told otherwise; --timeout waits for it.',
  args: [{ name: 'operationId', meaning: 'The operation of the public API, as createWithdrawal; none with --data.', isOptional: true }],
  options: [
    { name: 'count', value: 'number', meaning: 'How many calls there have to be, exactly.' },
    { name: 'at-least', value: 'number', meaning: 'How many there have to be at least.' },
    { name: 'at-most', value: 'number', meaning: 'How many there may be at most.' },
    { name: 'data', value: 'json|@file', meaning: 'The whole request instead: match, sequence and what else the call takes.' },
  ],
  examples: [
    'crossborder-sandbox verify createWithdrawal --at-most 1000',
    'crossborder-sandbox verify listAccounts --at-least 1 --timeout 5s',
    `crossborder-sandbox verify --data '{"match":{"operationId":"listAccounts"},"atLeast":1}' --json`,
  ],
  exits: { 1: 'it is not so', 4: 'the record cannot decide it' },
  calls: ['POST /_sandbox/requests/verify', documentCall],
  run: async (invocation) => {
    const { control, args, given, out, timeoutMs, signal } = invocation;
    const [data, count, atLeast, atMost] = ['data', 'count', 'at-least', 'at-most'].map((each) => given.text(each));
    if ((data === undefined) === (args[0] === undefined)) throw new UsageError('Name an operation, or give the whole request with --data.');
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
    out.show(answer, [`So it is: ${answer.count}.`]);
  },
};
