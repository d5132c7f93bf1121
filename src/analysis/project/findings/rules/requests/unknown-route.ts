import { textOf } from '../../call.js';
import { defineRule } from '../../rule.js';
import { send } from '../../script.js';

/** True if a request only checks that a server is running. */
const isProbe = (method: string, path: string) =>
  method === 'HEAD' ||
  method === 'OPTIONS' ||
  /^\/api\/$|\/(healthz?|healthcheck|heartbeat|ready|readyz|readiness|live|livez|liveness|ping|alive|up|status|version|info|metrics|prometheus|actuator|docs|swagger[^/]*|openapi[^/]*|favicon\.ico|robots\.txt)(\/[a-z]+)?$/i.test(
    path,
  );

export const unknownRoute = defineRule({
  id: 'request.unknown-route',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request used a path or method that does not exist',
  advice: 'The error response names the nearest operation or the path that exists. /docs and /openapi.json list all operations.',
  examples: {
    invalid: [
      send('GET', '/api/acounts', { expect: 404 }),
      send('GET', '/api/accounts/', { expect: 404 }),
      send('PUT', '/api/quotes', { body: {}, expect: 405 }),
    ],
    valid: [send('GET', '/api/health', { expect: 404 }), send('GET', '/healthz', { expect: 404, token: null })],
  },
  create({ quote, report }) {
    return {
      statuses: new Set([404, 405]),
      exchange(call) {
        const { record, id } = call;
        const { method, path, code } = record;
        if (code !== 'ROUTE_NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED') return;
        if (!path.startsWith('/api/') || isProbe(method, path) || !call.isGenuine) return;
        const { similar, instead } = call.details;
        const better = textOf(similar) ?? textOf(instead);
        const what = `${method} ${quote(path, 60)}, answered ${record.status}.${better === undefined ? '' : ` Instead: ${better}`}`;
        report({ ...call.place, evidence: [{ ref: id, what }] });
      },
    };
  },
});
