import { answered } from '../../client/caller.js';
import type { Delivery, EventType } from '../../client/types.js';
import { UsageError } from '../failure.js';
import { idMeaning, idOf, idsOf } from '../ids.js';
import type { Columns } from '../output.js';
import { documentCall, eventHas, publicDocument } from '../public-document.js';
import { assigned, assignment, wholeNumber } from '../values.js';
import type { Invocation, Verb } from '../verb.js';
import { inbox } from './inbox.js';

const group = 'webhooks';

const columns: Columns<Delivery> = {
  id: (each) => each.id,
  event: (each) => each.eventType,
  resource: (each) => each.resourceId,
  attempts: (each) => String(each.attempts),
  status: (each) => each.status,
};

/** Shows deliveries. @param none remark if there are none */
function showDeliveries({ out }: Invocation, deliveries: readonly Delivery[], none: string): void {
  out.list(deliveries, columns, (each) => each.id, none);
}

const deliveryLine = ({ id, eventType, resourceId, attempts, status }: Delivery) =>
  `${id} ${eventType} ${resourceId}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${status}`;

const trigger: Verb = {
  name: 'trigger',
  group,
  summary: 'Send an event now, without a state change.',
  args: [{ name: 'event', meaning: 'Type of the event, for example OPERATION_FAILED.' }],
  options: [
    { name: 'resource', value: 'id', meaning: `Resource to send the state of. ${idMeaning('operation')} Default: an example.` },
    { name: 'subscription', value: 'id', meaning: 'Send only to this subscription, even if it did not subscribe to the event.' },
    { name: 'set', value: 'path=text', meaning: 'Set a payload field; path:=json for values other than strings.', isMany: true },
    { name: 'unknown', meaning: 'Let --set add fields that the event does not define.' },
  ],
  examples: [
    'crossborder-sandbox trigger OPERATION_COMPLETED',
    'crossborder-sandbox trigger OPERATION_FAILED --resource @last --set currentState.reason.code=INSUFFICIENT_LIQUIDITY',
    'crossborder-sandbox trigger OPERATION_COMPLETED --resource @last --set mine=1 --unknown --json',
  ],
  calls: ['POST /_sandbox/events', 'GET /_sandbox/operations', documentCall],
  run: async (invocation) => {
    const { control, args, given, signal } = invocation;
    const eventType = args[0]!.toUpperCase() as EventType;
    const values = given.all('set').map((each) => assignment(each, '--set'));
    if (values.length > 0 && !given.has('unknown')) {
      const document = await publicDocument(invocation);
      const wrong = values.find(({ path }) => !eventHas(document, eventType, path));
      if (wrong) throw new UsageError(`--set: ${eventType} has no field ${wrong.path.join('.')}. Use --unknown to send it anyway.`);
    }
    const [resource, subscriptionId] = [given.text('resource'), given.text('subscription')];
    const body = {
      eventType,
      ...(resource === undefined ? {} : { resourceId: await idOf(resource, 'operation', invocation) }),
      ...(subscriptionId === undefined ? {} : { subscriptionId }),
      ...(values.length === 0 ? {} : { payload: assigned(values) }),
    };
    const answer = await answered(control.POST('/_sandbox/events', { body, signal }));
    showDeliveries(invocation, answer.data, 'No subscription includes this event; nothing was sent.');
  },
};

const deliveries: Verb = {
  name: 'deliveries',
  group,
  summary: 'List deliveries, newest first, or show one with all attempts. A delivery is one event to one subscription.',
  args: [{ name: 'id', meaning: `${idMeaning('delivery')} Default: list all.`, isOptional: true }],
  options: [
    { name: 'failed', meaning: 'Only deliveries that failed permanently.' },
    { name: 'limit', value: 'number', meaning: 'Maximum number of results, up to 100.', usual: '20' },
  ],
  examples: ['crossborder-sandbox deliveries', 'crossborder-sandbox deliveries --failed', 'crossborder-sandbox deliveries @last'],
  calls: ['GET /_sandbox/deliveries', 'GET /_sandbox/deliveries/{deliveryId}'],
  run: async (invocation) => {
    const { world, control, args, given, out, signal } = invocation;
    if (args[0] !== undefined) {
      for (const id of await idsOf(args[0], 'delivery', invocation)) {
        const detail = await world.delivery(id).get({ signal });
        // The error of a response is a sentence with its status.
        const attempts = detail.log.map(
          ({ endedAt, httpStatus, error }) => `  ${endedAt ?? 'in progress'} ${error ?? out.status(String(httpStatus))}`,
        );
        const next = detail.nextAttemptAt === null ? [] : [`  next attempt at ${detail.nextAttemptAt}`];
        out.show(detail, [deliveryLine(detail), ...attempts, ...next], [id]);
      }
      return;
    }
    const query = {
      limit: wholeNumber(given.text('limit') ?? '20', '--limit', 100),
      ...(given.has('failed') ? { filters: 'status[eq]=FAILED' } : {}),
    };
    const answer = await answered(control.GET('/_sandbox/deliveries', { params: { query }, signal }));
    showDeliveries(invocation, answer.data, given.has('failed') ? 'No delivery failed.' : 'There are no deliveries.');
  },
};

export const webhookVerbs: readonly Verb[] = [trigger, inbox, deliveries];
