import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../contract/public/events.js';
import { eventTypes, type EventType } from '../contract/shared/event-types.js';
import type { Answered } from './calls.js';
import { useHarness } from './harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from './withdrawals.js';
import { itDistinguishes, snippet, startedReceiver } from './receiver-snippets.js';
import { quoteIn, request } from './money.js';
import { createTransport } from '../sandbox/delivery/transport.js';

describe('the snippets for receivers', () => {
  itDistinguishes('js');
});

describe('a receiver made only from the documents', () => {
  const harness = useHarness();
  const world = 'receiver';
  const bank = (asset: string, rail: string, fields: object) => ({ type: 'BANK_ACCOUNT', asset, rail, ...fields });
  const instructions: object[] = [
    pixBeneficiary().paymentInstruction,
    bank('BRL', 'TED', { bankCode: '341', branch: '0001', accountNumber: '123456-7', accountType: 'CHECKING' }),
    bank('EUR', 'SEPA', { iban: 'DE89370400440532013000' }),
    bank('GBP', 'SWIFT', { bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' }),
    bank('USD', 'ACH', { routingNumber: '021000021', accountNumber: '000123456789' }),
    { type: 'CRYPTO_WALLET', asset: 'USDT', network: 'TRON', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
  ];
  const company = { type: 'COMPANY', legalName: 'Porto Sul Logística SA', taxId: { type: 'CNPJ', value: '11.222.333/0001-81' } };

  /** Causes every kind of webhook. @returns the expected output of the receiver */
  async function live(): Promise<string[]> {
    const lines: string[] = [];
    const control = async (path: string) => {
      const answer = await harness.control('POST', path, undefined, world);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.body;
    };
    const operation = async ({ status, body }: Answered, verb: 'complete' | 'fail') => {
      expect(status).toBe(201);
      lines.push(`${body.intent.type} ${body.id} of ${body.sourceAmount.value} ${body.sourceAmount.asset} has begun`);
      const { currentState } = await control(`/operations/${body.id}/${verb}`);
      const { value, asset } = body.targetAmount;
      lines.push(verb === 'fail' ? `${body.id} failed: ${currentState.reason.code}` : `${body.id} is done: ${value} ${asset}`);
    };
    const { accountIds, accountId } = fixtureIds(harness, world);
    for (const [index, instruction] of instructions.entries()) {
      const holder = index === 1 ? company : pixBeneficiary().holder;
      const asked = { ...pixBeneficiary(), holder, paymentInstruction: instruction };
      for (const verdict of ['reject', 'approve']) {
        const { status, body } = await harness.api('POST', '/api/beneficiaries', { body: asked }, world);
        expect(status).toBe(201);
        const { asset, rail } = { ...body.paymentInstruction, ...body.paymentInstruction.address };
        lines.push(`${body.id} is being reviewed for ${asset}`);
        await control(`/beneficiaries/${body.id}/${verdict}`);
        lines.push(`${body.id} can${verdict === 'reject' ? 'not' : ''} be paid by ${rail}`);
        for (const verb of verdict === 'approve' ? (['complete', 'fail'] as const) : []) {
          const quote = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: asset, sourceAmount: '150.00' });
          const withdrawal = withdrawalBody(accountId, quote.id, body);
          await operation(await harness.api('POST', '/api/operations/withdrawal', { body: withdrawal }, world), verb);
        }
      }
    }
    const [sourceAccountId, targetAccountId, , onboarding] = accountIds;
    const quoted = async (assets: { sourceAsset: string; targetAsset: string }) => {
      const { id: quoteId } = await quoteIn(harness, world, { accountId, sourceAmount: '50.00', ...assets });
      return { accountId, quoteId };
    };
    for (const verb of ['complete', 'fail'] as const) {
      const transfer = { sourceAccountId, targetAccountId, amount: { value: '10.00', asset: 'BRL' } };
      await operation(await request(harness, world, 'transfer', transfer), verb);
      await operation(await request(harness, world, 'swap', await quoted({ sourceAsset: 'BRL', targetAsset: 'USDT' })), verb);
      const deposit = { ...(await quoted({ sourceAsset: 'EUR', targetAsset: 'BRL' })), fundingInstruction: { rail: 'SEPA' } };
      await operation(await request(harness, world, 'deposit', deposit), verb);
    }
    const { assets } = await control(`/accounts/${onboarding}/activate`);
    for (const { asset } of assets) lines.push(`${onboarding} can hold ${asset}`);
    return lines;
  }

  it('handles every event once and rejects forged webhooks', async () => {
    harness.realMs = Date.now(); // Receivers compare timestamps with their own clock.
    const directory = mkdtempSync(join(tmpdir(), 'receiver-'));
    await harness.world(world, { scenario: 'manual' });
    const { clientId, clientSecret } = harness.sandbox.world(world).identity;
    const transport = createTransport();
    harness.receive = transport.send;

    writeFileSync(join(directory, 'receiver.mjs'), `${snippet()}\n${snippet('receiver')}`);
    const { url, process: receiver } = await startedReceiver(directory, { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });
    const printed: string[] = [];
    createInterface({ input: receiver.stdout }).on('line', (line) => printed.push(line));

    for (const each of [url, `http://localhost:4010/_sandbox/inbox/all?world=${world}`]) {
      await harness.api('POST', '/api/subscriptions', { body: { url: each, includeAll: true } }, world);
    }
    await harness.control('POST', '/faults', { on: 'DELIVERY', when: { url }, times: 3, effect: { duplicate: 1 } }, world);
    const expected = await live();
    await harness.quiet(world);
    await expect.poll(() => printed.length).toBeGreaterThanOrEqual(expected.length);
    expect(printed).toEqual(expected);

    await harness.control('POST', '/faults', { on: 'DELIVERY', when: { url }, times: 1, effect: { corruptSignature: true } }, world);
    await harness.control('POST', '/events', { eventType: 'ASSET_ACTIVATED' }, world);
    await harness.quiet(world);
    const refused = [...harness.sandbox.world(world).state.executionLogs.values()].filter((log) => log.status === 'FAILED');
    expect(refused).toMatchObject([{ httpStatus: 401, eventType: 'ASSET_ACTIVATED' }]);
    receiver.kill();

    const { body } = await harness.control('GET', `/inbox/all/await?count=${expected.length}`, undefined, world);
    const messages = body.data as { headers: Record<string, string>; body: string }[];
    expect(new Set(messages.map(({ headers }) => headers['x-event-type']))).toEqual(new Set(eventTypes));
    const verifier = new Webhook(Buffer.from(clientSecret).toString('base64'));
    for (const message of messages) {
      const id = message.headers['x-message-id'];
      const named = createHmac('sha256', clientSecret).update(`${id}+${clientId}`).digest('hex');
      expect(message.headers['x-message-signature']).toBe(named);
      expect(verifier.verify(message.body, message.headers)).toEqual(JSON.parse(message.body));
      eventSchemas[message.headers['x-event-type'] as EventType].parse(JSON.parse(message.body));
    }
    await transport.close();
    rmSync(directory, { recursive: true });
  });
});
