import { defineRule } from '../../rule.js';
import { control, subscribe } from '../../script.js';

/** Inboxes and other receivers inside the sandbox exist for tests. */
const ownPath = /^\/_sandbox\//;
const isOwn = (url: string) => URL.canParse(url) && ownPath.test(new URL(url).pathname);

/** Host names of the local machine. */
const local: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0']);

/** Returns a URL in a normal form, which is equal for all URLs of one endpoint. */
function endpointOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (local.has(url.hostname)) url.hostname = 'localhost';
  return url.href;
}

export const duplicateSubscription = defineRule({
  id: 'webhook.duplicate-subscription',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'One URL has two subscriptions to the same events',
  advice: 'Each of these events is sent twice, with two message ids. List the subscriptions first, and subscribe only if yours is missing.',
  examples: {
    invalid: [subscribe(), subscribe({ as: 'second' })],
    valid: [
      subscribe(),
      subscribe({ at: '/other', as: 'second' }),
      control('DELETE', '/subscriptions/{{second.id}}'),
      subscribe({ at: '/other', as: 'third' }),
    ],
  },
  create({ report, world }) {
    return {
      operations: new Set(['createSubscription']),
      exchange(call) {
        if (!call.done || call.done.status >= 300) return;
        const made = world.row('subscriptions', call.madeId ?? '');
        if (!made || isOwn(made.url)) return;
        const endpoint = endpointOf(made.url);
        const events = new Set(made.resources.flatMap((each) => each.events));
        const { id } = call;
        for (const other of world.subscriptions()) {
          if (other.id === made.id || endpointOf(other.url) !== endpoint || other.seq > made.seq) continue;
          const common = other.resources.flatMap((each) => each.events).filter((event) => events.has(event));
          if (common.length === 0) continue;
          const what = `Subscription ${other.id} has the same URL and ${common.length} of the events.`;
          report({ ...call.place, evidence: [{ ref: id, what }] });
          return;
        }
      },
    };
  },
});
