import { describe, expect, it } from 'vitest';
import { OperationEventSchema } from '../../contract/public/events.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { operationIn, quoteIn, request, statuses } from '../../testing/money.js';

const harness = useHarness();

async function deposit(world: string, rail: string, sourceAmount = '123.45', sourceAsset = 'BRL') {
  const { accountId } = fixtureIds(harness, world);
  const { id: quoteId } = await quoteIn(harness, world, { accountId, sourceAsset, targetAsset: 'BRL', sourceAmount });
  const { status, body } = await request(harness, world, 'deposit', { accountId, quoteId, fundingInstruction: { rail } });
  expect(status).toBe(201);
  return body as { id: string; intent: { fundingInstruction: Record<string, string> } };
}

/** Returns the fields of a BR Code (the text of a PIX QR code) by their two-digit ids. */
function fieldsOf(code: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < code.length;) {
    const length = Number(code.slice(at + 2, at + 4));
    fields[code.slice(at, at + 2)] = code.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return fields;
}

function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const advance = async (world: string, by: string) => {
  const { body } = await harness.control('POST', '/clock/advance', { by }, world);
  harness.forget(world);
  return body as { fired: { kind: string; id: string; to: string }[] };
};

describe('the charge of a deposit', () => {
  it.each(['PIX_KEY', 'PIX_STATIC_QR_CODE'])('by %s is a dynamic BR Code with the amount, unique to the deposit', async (rail) => {
    const world = await harness.world(`charge-${rail.toLowerCase().replaceAll('_', '-')}`, { scenario: 'manual' });
    const [first, second] = [await deposit(world, rail), await deposit(world, rail, '9.90')];
    const { qrCode, txid, amount, expiresAt } = first.intent.fundingInstruction;
    expect({ amount, expiresAt }).toEqual({
      amount: { value: '123.45', asset: 'BRL', decimals: 2 },
      expiresAt: '2026-11-22T12:00:00.000Z',
    });
    expect(txid).toMatch(/^[A-Za-z0-9]{26,35}$/);
    const fields = fieldsOf(qrCode!);
    expect(fields['63']).toBe(crc16(qrCode!.slice(0, -4)));
    expect(fields).toMatchObject({ '01': '12', '53': '986', '54': '123.45', '62': '0503***' });
    expect(fieldsOf(fields['26']!)).toEqual({ '00': 'br.gov.bcb.pix', '25': expect.stringMatching(new RegExp(`^[a-z.-]+/.*${txid}$`)) });
    expect(second.intent.fundingInstruction['txid']).not.toBe(txid);
    expect(fieldsOf(second.intent.fundingInstruction['qrCode']!)['54']).toBe('9.90');
    const { accountId } = fixtureIds(harness, world);
    const { body } = await harness.api('GET', `/api/accounts/${accountId}/fundingInstructions?filters=rail[eq]=${rail}`, {}, world);
    expect(body.data[0]).not.toHaveProperty('txid');
    if (rail === 'PIX_STATIC_QR_CODE') expect(fieldsOf(body.data[0].qrCode)).not.toHaveProperty('54');
  });

  it('by BOLETO has a barcode that is unique to the deposit, with amount and due date', async () => {
    // 2026-11-21 is a Saturday.
    const world = await harness.world('charge-boleto', { scenario: 'manual' });
    const { barcode, dueDate } = (await deposit(world, 'BOLETO')).intent.fundingInstruction;
    expect(dueDate).toBe('2026-11-25');
    expect(barcode).toMatch(/^[0-9]{47}$/);
    expect(barcode!.slice(-10)).toBe('0000012345');
    expect((await deposit(world, 'BOLETO')).intent.fundingInstruction['barcode']).not.toBe(barcode);
    const huge = await deposit(world, 'BOLETO', '123456789.00');
    expect(huge.intent.fundingInstruction['barcode']!.slice(-10)).toBe('0000000000');
  });

  it('by BOLETO is due on the third Brazilian business day after the request', async () => {
    // Christmas Day 2026 is a Friday.
    const clock = { mode: 'FROZEN', now: '2026-12-23T12:00:00Z' };
    const world = await harness.world('charge-christmas', { scenario: 'manual', clock });
    expect((await deposit(world, 'BOLETO')).intent.fundingInstruction['dueDate']).toBe('2026-12-29');
  });

  it.each([
    ['TED', 'BRL'],
    ['WIRE', 'USD'],
    ['ACH', 'USD'],
    ['SWIFT', 'USD'],
    ['SEPA', 'EUR'],
    ['CRYPTO', 'USDT'],
  ])('by %s is the funding instruction with a reference unique to the deposit, and is never due', async (rail, asset) => {
    const world = await harness.world(`charge-${rail.toLowerCase()}`, { scenario: 'manual' });
    const [first, second] = [await deposit(world, rail, '10.00', asset), await deposit(world, rail, '10.00', asset)];
    const { reference, ...account } = first.intent.fundingInstruction;
    const { reference: other, ...same } = second.intent.fundingInstruction;
    expect(reference).toMatch(/^CB[0-9A-Z]{10}$/);
    expect(other).not.toBe(reference);
    expect(same).toEqual(account);
    await advance(world, '30d');
    expect((await operationIn(harness, world, first.id)).currentState.status).toBe('REQUESTED');
  });

  it.each([
    ['PIX_KEY', '23h', '1h'],
    ['BOLETO', '110h', '1h'],
  ])('by %s fails the deposit when it is due and unpaid', async (rail, before, then) => {
    const world = await harness.world(`due-${rail.toLowerCase().replaceAll('_', '-')}`, { scenario: 'manual' });
    const { id } = await deposit(world, rail);
    const { body: timers } = await harness.control('GET', '/timers', undefined, world);
    expect(timers.data).toMatchObject([{ kind: 'EXPIRY', resource: 'OPERATION', id, what: 'FAILED' }]);
    await advance(world, before);
    expect((await operationIn(harness, world, id)).currentState.status).toBe('REQUESTED');
    const { fired } = await advance(world, then);
    expect(fired).toMatchObject([{ kind: 'EXPIRY', id, to: 'FAILED' }]);
    expect((await operationIn(harness, world, id)).currentState).toMatchObject({
      status: 'FAILED',
      reason: { code: 'PAYMENT_NOT_RECEIVED' },
    });
    const { body: why } = await harness.control('GET', `/why/${id}`, undefined, world);
    expect(JSON.stringify(why)).toContain('The due date of the deposit passed without a payment');
    expect((await harness.control('POST', `/operations/${id}/pay`, undefined, world)).status).toBe(422);
  });

  it('does not fail a deposit that is paid in time, even exactly when the payment is due', async () => {
    const world = await harness.world('paid-in-time', { scenario: 'manual' });
    const [early, late] = [await deposit(world, 'PIX_KEY'), await deposit(world, 'PIX_KEY')];
    await harness.control('POST', `/operations/${early.id}/pay`, undefined, world);
    expect((await harness.control('GET', '/timers', undefined, world)).body.total).toBe(1);
    const inline = { rules: [{ on: 'OPERATION', steps: [{ after: '24h', pay: {} }] }] };
    await harness.control('PUT', '/scenario', { inline }, world);
    const exact = await deposit(world, 'PIX_KEY');
    await advance(world, '24h');
    expect(statuses(await operationIn(harness, world, early.id))).toEqual(['REQUESTED', 'PROCESSING']);
    expect(statuses(await operationIn(harness, world, late.id))).toEqual(['REQUESTED', 'FAILED']);
    expect(statuses(await operationIn(harness, world, exact.id))).toEqual(['REQUESTED', 'PROCESSING']);
    await harness.control('POST', '/reset', undefined, world);
    expect((await harness.control('GET', '/timers', undefined, world)).body.total).toBe(0);
  });
});

describe('the payer of a deposit', () => {
  const payer = { name: 'Joana Alves', taxId: { type: 'CPF', value: '271.828.182-05' } };
  const shown = { name: 'Joana Alves', taxId: { type: 'CPF', value: '27182818205' } };

  it('is shown in the operation, its webhooks and the ledger', async () => {
    const world = await harness.world('payer', { scenario: 'manual' });
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { id } = await deposit(world, 'PIX_KEY');
    const paid = await harness.control('POST', `/operations/${id}/pay`, { payer }, world);
    expect(paid.body.transactions).toMatchObject([{ payer: shown }]);
    harness.attempts.length = 0;
    await harness.control('POST', `/operations/${id}/complete`, undefined, world);
    await harness.quiet(world);
    const payload = OperationEventSchema.parse(JSON.parse(harness.attempts[0]!.body));
    expect(payload.transactions).toMatchObject([{ payer: shown }]);
    const { body } = await harness.control('GET', `/ledger?filters=operationId[eq]=${id}`, undefined, world);
    expect(body.data).toMatchObject([{ payer: shown }]);
  });

  it('comes from the scenario step that pays, and is absent if the step names no payer', async () => {
    const world = await harness.world('payer-step');
    const steps = [
      { after: '1s', pay: { payer } },
      { after: '1s', to: 'COMPLETED' },
    ];
    expect((await harness.control('PUT', '/scenario', { inline: { rules: [{ on: 'OPERATION', steps }] } }, world)).status).toBe(200);
    const { id } = await deposit(world, 'TED');
    await advance(world, '5s');
    expect((await operationIn(harness, world, id)).transactions).toMatchObject([{ payer: shown, status: 'CONFIRMED' }]);
    await harness.control('PUT', '/scenario', { name: 'default' }, world);
    const without = await deposit(world, 'TED');
    await advance(world, '5s');
    expect((await operationIn(harness, world, without.id)).transactions[0]).not.toHaveProperty('payer');
  });

  it.each([
    [{ name: 'Joana Alves' }, 'body:payer.taxId'],
    [{ ...payer, name: 'Joana\u0000' }, 'body:payer.name'],
    [{ ...payer, taxId: { type: 'CPF', value: '27182818200' } }, 'body:payer.taxId.value'],
    [{ ...payer, bank: '341' }, 'body:payer.bank'],
  ])('is rejected with an error for the invalid field: %j', async (wrong, field) => {
    const world = 'default';
    const { id } = await deposit(world, 'TED');
    const { status, body } = await harness.control('POST', `/operations/${id}/pay`, { payer: wrong }, world);
    expect([status, body.details.errors[0].field]).toEqual([400, field]);
  });
});
