import { textOf } from '../../call.js';
import { defineRule } from '../../rule.js';
import { send } from '../../script.js';

/** Whether somebody only looks whether anything is there. */
const isProbe = (method: string, path: string) =>
  method === 'HEAD' ||
  method === 'OPTIONS' ||
  /^\/api\/$|\/(health|healthz|ready|live|ping|status|version|info|docs|openapi[^/]*|favicon\.ico)$/i.test(path);

export const unknownRoute = defineRule({
  id: 'request.unknown-route',
  label: 'CERTAIN',
  severity: 'WARNING',
  title: 'A call went to a path or method that does not exist',
  advice: 'The refusal names the nearest call, or the way that exists instead; /docs and /openapi.json list all of them.',
  records: {
    fires: [
      send('GET', '/api/acounts', { expect: 404 }),
      send('GET', '/api/accounts/', { expect: 404 }),
      send('PUT', '/api/quotes', { body: {}, expect: 405 }),
    ],
    mustNotFire: [send('GET', '/api/health', { expect: 404 }), send('GET', '/favicon.ico', { expect: 404, token: null })],
  },
  watch({ quote, sight }) {
    return {
      statuses: new Set([404, 405]),
      exchange(call) {
        const { seen, id } = call;
        const { method, path, code } = seen;
        if (code !== 'ROUTE_NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED') return;
        if (!path.startsWith('/api/') || isProbe(method, path) || !call.isGenuine) return;
        const { similar, instead } = call.details;
        const better = textOf(similar) ?? textOf(instead);
        const what = `${method} ${quote(path, 60)}, answered ${seen.status}.${better === undefined ? '' : ` Instead: ${better}`}`;
        sight({ ...call.place, evidence: [{ ref: id, what }] });
      },
    };
  },
});
