import type { Delivery, DeliveryDetail } from '../../contract/control/deliveries.js';
import { call as control, urlPath } from '../api.js';
import { send, type ApiCall } from '../api-calls.js';
import { fundedAssets, inboxName, inboxUrl } from './fill.js';
import { readWorldIds, type WorldIds } from './world-ids.js';

type Json = Record<string, unknown>;

/** Sends a request that another one needs, as the client of the world. @returns the id of the new resource */
async function made(what: string, path: string, body: Json): Promise<string> {
  const answer = await send({ plane: 'public', method: 'POST', path, body: JSON.stringify(body), key: crypto.randomUUID() });
  if (answer.status !== 201) throw new Error(`The request was not sent: creating ${what} failed with ${answer.status}: ${answer.text}`);
  return (JSON.parse(answer.text) as { id: string }).id;
}

/** Returns the assets and the amount of a quote that a request can use. */
function priceFor({ path, body }: ApiCall, { accounts, beneficiaries }: WorldIds): Json {
  const { accountId, beneficiary } = JSON.parse(body!) as { accountId: string; beneficiary?: { paymentInstruction?: { id?: string } } };
  const account = accounts.find(({ id }) => id === accountId);
  const funded = account === undefined ? [] : fundedAssets(account);
  const instruction = beneficiaries
    .flatMap(({ paymentInstructions }) => paymentInstructions)
    .find(({ id }) => id === beneficiary?.paymentInstruction?.id);
  const paid = instruction?.asset ?? 'BRL';
  const [first = 'BRL', second = first] = funded;
  const [sourceAsset, targetAsset] = path.endsWith('/swap')
    ? [first, second]
    : path.endsWith('/deposit')
      ? ['BRL', 'BRL']
      : [funded.includes(paid) ? paid : first, paid];
  return { accountId, sourceAsset, targetAsset, sourceAmount: '10.00' };
}

const subscribe = (world: WorldIds): Promise<string> =>
  made('a subscription', '/api/subscriptions', { url: inboxUrl(world), includeAll: true, allowRetry: false });

/** Sends a webhook that fails. @returns the id of its execution log */
async function failedLog(subscriptionId: string): Promise<string> {
  await control('PUT', urlPath`/inbox/${inboxName}/responses`, [{ status: 500, times: 1 }]);
  const { data } = await control<{ data: readonly Delivery[] }>('POST', '/events', { eventType: 'OPERATION_COMPLETED', subscriptionId });
  await control('POST', '/deliveries/flush', {});
  const { log } = await control<DeliveryDetail>('GET', urlPath`/deliveries/${data[0]!.id}`);
  return log[0]!.id;
}

/** The resources that the page can create for a request with the name of an id in braces, with a text for the user. */
const makers: readonly {
  readonly name: string;
  readonly text: string;
  readonly make: (call: ApiCall, world: WorldIds) => Promise<ApiCall>;
}[] = [
  {
    name: '{executionLogId}',
    text: `Send first subscribes the inbox ${inboxName} and sends a webhook to it that fails: this world has none.`,
    make: async (call, world) => {
      const subscriptionId = await subscribe(world);
      const logId = await failedLog(subscriptionId);
      const path = call.path.replace(/subscriptions\/[^/]+/, `subscriptions/${subscriptionId}`).replace('{executionLogId}', logId);
      return { ...call, path };
    },
  },
  {
    name: '{subscriptionId}',
    text: `Send first subscribes the inbox ${inboxName}: this world has no subscription.`,
    make: async (call, world) => ({ ...call, path: call.path.replace('{subscriptionId}', await subscribe(world)) }),
  },
  {
    name: '{quoteId}',
    text: 'Send first makes a quote and puts its id in place of {quoteId}.',
    make: async (call, world) => {
      const quoteId = await made('a quote', '/api/quotes', priceFor(call, world));
      return { ...call, body: call.body!.replace('{quoteId}', quoteId) };
    },
  },
];

const holds = ({ path, body }: ApiCall, name: string): boolean => path.includes(name) || (body?.includes(`"${name}"`) ?? false);

/** Returns what {@link prepare} makes for a request, in words. */
export const preparations = (call: ApiCall): string[] =>
  makers
    .filter(({ name }) => holds(call, name))
    .slice(0, 1)
    .map(({ text }) => text);

/** Returns the first name in braces that the user must replace, of a parameter in the path or of an id in the body; null if there is none. */
export function missingName({ path, body }: ApiCall): string | null {
  const names = [...(path.match(/\{\w+\}/g) ?? []), ...(body?.match(/\{\w+Id\}/g) ?? [])];
  return names.find((name) => !makers.some((maker) => maker.name === name)) ?? null;
}

/** Makes the resources that a request names in braces. @returns the request with their ids @throws Error if one cannot be made */
export async function prepare(call: ApiCall): Promise<ApiCall> {
  if (!makers.some(({ name }) => holds(call, name))) return call;
  const world = await readWorldIds();
  let ready = call;
  for (const { name, make } of makers) if (holds(ready, name)) ready = await make(ready, world);
  return ready;
}
