import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ErrorSchema, InvalidDataSchema } from '../../contract/shared/errors.js';
import { operationIds, publicRoutes, type OperationId } from '../../contract/public/routes.js';
import { documentedStatuses } from '../plane/documented-errors.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();
const id = '0d5ab5a2-1f0c-4a52-8d5c-6f0a7a3f9e21';

/** Injects an error into the next request to an operation, sends this request, and deletes the fault. */
async function injectedInto(effect: Record<string, unknown>, operationId: OperationId) {
  const route = publicRoutes.find((each) => each.operationId === operationId)!;
  const made = await harness.control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, effect });
  expect(made.status).toBe(201);
  const key = randomUUID();
  const path = route.path.replaceAll(/\{[^{}]+\}/g, id);
  const headers: Record<string, string> = route.access ? { authorization: '' } : {};
  const body =
    route.method === 'get'
      ? {}
      : operationId === 'createToken'
        ? { body: { clientId: 'sandbox', clientSecret: 'sandbox-secret' } }
        : { body: {} };
  const answer = await harness.api(route.method.toUpperCase(), path, { ...body, key, headers });
  await harness.control('DELETE', `/faults/${made.body.id}`);
  return { ...answer, fault: made.body as { id: string; warnings?: string[] }, key };
}

const injectable = operationIds;

describe('an injected error', () => {
  it.each(
    injectable.flatMap((operationId) => documentedStatuses(operationId).map((status): [OperationId, number] => [operationId, status])),
  )('of %s with the status %i has a body that this operation can return', async (operationId, status) => {
    const { status: got, body, fault } = await injectedInto({ status }, operationId);
    expect([got, fault.warnings]).toEqual([status, undefined]);
    expect(body).toEqual(ErrorSchema.parse(body));
    const { details } = body as { details: Record<string, unknown> };
    expect(details['rule']).toBe(`fault:${fault.id}`);
    if (body.code === 'INVALID_DATA') {
      const { errors } = InvalidDataSchema.parse(body).details;
      expect(errors[0]!.field).toMatch(/^(body|query|path|header):\w/);
    } else if (status < 500 && status !== 429 && status !== 401) expect(Object.keys(details).length).toBeGreaterThan(1);
  });

  it('has the code that the document lists first, and the ids of the request', async () => {
    const missing = await injectedInto({ status: 404 }, 'getOperation');
    expect(missing.body).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      message: `There is no operation with id ${id}.`,
      details: { resource: 'Operation', parameters: { id } },
    });
    const conflict = await injectedInto({ status: 409 }, 'createQuote');
    expect(conflict.body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', details: { idempotencyKey: conflict.key } });
    expect((await injectedInto({ status: 422 }, 'createQuote')).body.code).toBe('QUOTE_CREATION_FAILED');
    expect((await injectedInto({ status: 422 }, 'createWithdrawal')).body.code).toBe('QUOTE_EXPIRED');
    expect((await injectedInto({ status: 401 }, 'createToken')).body.code).toBe('INVALID_CREDENTIALS');
    expect((await injectedInto({ code: 'QUOTE_ALREADY_CONSUMED' }, 'createWithdrawal')).body).toMatchObject({
      details: { quoteId: expect.any(String), consumedByOperationId: expect.any(String), consumedAt: expect.any(String) },
    });
  });

  it.each([403, 408])('with the status %i needs a code, because only the control API has errors with this status', async (status) => {
    const answer = await harness.control('POST', '/faults', { on: 'REQUEST', effect: { status } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_DATA' } });
    expect(answer.body.details.errors[0]).toMatchObject({ field: 'body:effect.status', message: expect.stringContaining(`got ${status}`) });
    expect((await harness.control('GET', '/faults')).body.data).toEqual([]);
    const { status: got, body } = await injectedInto({ status, code: 'RATE_LIMIT_EXCEEDED' }, 'listAccounts');
    expect([got, body.code]).toEqual([status, 'RATE_LIMIT_EXCEEDED']);
  });

  it('with a status that the operation does not document is accepted with a warning', async () => {
    const { status, fault } = await injectedInto({ status: 418 }, 'listAccounts');
    expect(status).toBe(418);
    expect(fault.warnings).toEqual([
      expect.stringMatching(/^effect\.status: expected a status that the operation documents.*418.*listAccounts/),
    ]);
    const listed = await injectedInto({ status: 404 }, 'listAccounts');
    expect(listed.body).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      details: { resource: expect.any(String), parameters: expect.any(Object) },
    });
    expect(listed.fault.warnings).toHaveLength(1);
  });

  it('with an undocumented status causes a warning in the check of a scenario, which stays valid', async () => {
    const text = [
      'scenario: odd',
      'summary: Odd errors.',
      'rules:',
      '  - { on: REQUEST, when: { operationId: listAccounts }, effect: { status: 418 } }',
      '  - { on: REQUEST, when: { operationId: createQuote }, effect: { status: 503 } }',
      '  - { on: REQUEST, when: { operationId: { in: [createQuote] } }, effect: { status: 403 } }',
    ].join('\n');
    const { body } = await harness.control('POST', '/scenarios/check', { text });
    expect(body).toMatchObject({ valid: true, errors: [] });
    expect(body.warnings.map((each: { line: number; message: string }) => [each.line, each.message.split(':')[0]])).toEqual([
      [4, 'rules[0].effect.status'],
      [6, 'rules[2].effect.status'],
      [6, 'rules[2].effect.status'],
    ]);
  });
});
