// The application under test: pays out of an account, and learns by webhook what became of it.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** @param env SANDBOX_URL, SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET, or what the real service has in their place */
export function createPayouts({ SANDBOX_URL: url, SANDBOX_CLIENT_ID: clientId, SANDBOX_CLIENT_SECRET: clientSecret }) {
  const outcomes = new Map();
  let token;

  async function call(method, path, body, headers = {}) {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed = await response.json();
    if (!response.ok) throw Object.assign(new Error(parsed.message), { code: parsed.code, status: response.status });
    return parsed;
  }

  /** Repeats a call with the same key when its outcome is unknown. */
  async function api(method, path, body, key = randomUUID(), triesLeft = 3) {
    token ??= (await call('POST', '/api/oauth/client/token', { clientId, clientSecret })).accessToken;
    try {
      return await call(method, path, body, { authorization: `Bearer ${token}`, 'x-idempotency-key': key });
    } catch (error) {
      if (triesLeft === 0 || (error.status ?? 500) < 500) throw error;
      return api(method, path, body, key, triesLeft - 1);
    }
  }

  return {
    outcomes,

    /** @returns the payments as this application knows them */
    records: () => Array.from(outcomes, ([id, { status }]) => ({ id, status })),

    subscribe: (receiver) => api('POST', '/api/subscriptions', { url: receiver, includeAll: true }),

    /** @returns the operation as it was requested */
    async pay(beneficiary, amount) {
      const [{ id: accountId }] = (await api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING')).data;
      const quote = await api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: amount });
      const paymentInstruction = { type: 'REFERENCE', id: beneficiary.paymentInstructions[0].id };
      const target = { type: 'REFERENCE', id: beneficiary.id, paymentInstruction };
      const operation = await api('POST', '/api/operations/withdrawal', { accountId, quoteId: quote.id, beneficiary: target });
      // A webhook may arrive before this response, and is newer.
      if (!outcomes.has(operation.id)) outcomes.set(operation.id, operation.currentState);
      return operation;
    },

    /** Takes a webhook. @returns whether it was genuine */
    receive({ headers, body }) {
      const expected = createHmac('sha256', clientSecret).update(`${headers['x-message-id']}+${clientId}`).digest('hex');
      const given = Buffer.from(headers['x-message-signature'] ?? '');
      if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected))) return false;
      const { id, currentState } = JSON.parse(body);
      const known = outcomes.get(id);
      // Webhooks have no promised order: an older event does not replace a newer one.
      if (!known || known.createdAt <= currentState.createdAt) outcomes.set(id, currentState);
      return true;
    },

    /** Reads the outcome of a payout whose webhook may be lost. */
    async refresh(id) {
      outcomes.set(id, (await api('GET', `/api/operations/${id}`)).currentState);
    },
  };
}
