import { z } from 'zod';
import { send } from '../../../client/caller.js';
import { authorizationOf } from '../../../client/authorization.js';
import type { Coverage, FaultRequest } from '../../../client/types.js';
import { didYouMean } from '../../../contract/shared/messages/nearest.js';
import type { Session } from '../session.js';
import { callText, ToolError, tool } from '../tool.js';

type Item = Coverage['dimensions'][keyof Coverage['dimensions']]['items'][number];
type Step = NonNullable<Item['steps']>[number];

const stepText = ({ method, path, body }: Step) => `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;

/** True if this tool can execute a step: the step is a control request without placeholders such as `{accountId}`. */
const isOwn = ({ path, body }: Step) =>
  path.startsWith('/_sandbox/') && !/"\{[^"{}]+\}"|\{[a-zA-Z]+\}/.test(`${path}${JSON.stringify(body ?? null)}`);

/** Sends a control request for the world in use. */
async function executed({ connection, worldName }: Session, { method, path, body }: Step, signal: AbortSignal): Promise<void> {
  const headers = { ...authorizationOf(connection.token), 'X-Sandbox-World': worldName, 'Content-Type': 'application/json' };
  const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  await send(connection, new Request(`${connection.controlUrl}${path}`, init));
}

/** Executes the first control steps of a coverage item, and returns the remaining steps for the client. */
async function provokedItem(session: Session, wanted: string, signal: AbortSignal): Promise<string> {
  const { dimensions } = await session.world().coverage({ tier: 'all', missing: true, signal });
  const items = Object.values(dimensions).flatMap(({ items: each }) => each);
  const item = items.find(({ id }) => id === wanted);
  if (!item) {
    const likely = didYouMean(
      wanted,
      items.map(({ id }) => id),
    );
    throw new ToolError(
      `"${wanted}" is not a missing coverage item of world ${session.worldName}${likely || '.'}`,
      `Call ${callText('verdict', {})}: it names missing items.`,
    );
  }
  const steps = item.steps ?? [];
  const after = steps.findIndex((step) => !isOwn(step));
  const own = after === -1 ? steps : steps.slice(0, after);
  for (const step of own) await executed(session, step, signal);
  const rest = steps.slice(own.length);
  return [
    `${wanted}: ${item.how ?? ''}`,
    ...(own.length === 0 ? [] : ['Done:', ...own.map((step) => `  ${stepText(step)}`)]),
    ...(rest.length === 0
      ? []
      : ['Let your client cause the rest, in this order (values in braces are yours):', ...rest.map((step) => `  ${stepText(step)}`)]),
    'Then call verdict.',
  ].join('\n');
}

export const provoke = tool(
  'provoke',
  'Cause a failure for your client, in the world in use. Pass exactly one: item (a missing coverage item that verdict names; the most useful), code (the next call gets this error), or fault (a rule as in POST /_sandbox/faults). Then run your client.',
  z.strictObject({
    item: z.string().max(200).optional().describe('For example createWithdrawal.lostResponse.'),
    code: z.string().max(64).optional().describe('Error code, for example INSUFFICIENT_BALANCE.'),
    operationId: z.string().max(100).optional().describe('For code: only calls of this operation.'),
    fault: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('For example {"on":"DELIVERY","when":{"eventType":"OPERATION_COMPLETED"},"times":1,"effect":{"duplicate":1}}.'),
  }),
  async ({ item, code, operationId, fault }, session, signal) => {
    if ([item, code, fault].filter((each) => each !== undefined).length !== 1)
      throw new ToolError(
        'provoke needs exactly one of item, code and fault.',
        `Call ${callText('verdict', {})}: it names items. ${callText('docs', { query: 'fault' })} explains faults.`,
      );
    if (item !== undefined) return provokedItem(session, item, signal);
    const when = operationId === undefined ? {} : { when: { operationId } };
    const rule = fault ?? { on: 'REQUEST', ...when, times: 1, effect: { code } };
    const { id } = await session.world().fault(rule as FaultRequest, { signal });
    return `Fault ${id} is ready: ${JSON.stringify(rule)}\nRun your client, then call verdict.`;
  },
);
