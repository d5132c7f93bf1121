import { describe, expect, it } from 'vitest';
import { ReportSchema, type Report } from '../../contract/control/analysis/report.js';
import { useHarness } from '../../testing/harness.js';
import { reconcileScene, resultOf } from '../../testing/reconcile.js';

const harness = useHarness();
const profile = { profile: 'books', summary: 'Keeps records.', contract: '1', require: [], reconciled: 'AGREED' };

/** Returns the report on a world, with a profile that requires the verdict AGREED of a reconciliation. */
async function reportOn(world: string): Promise<Report> {
  const { body } = await harness.control('POST', `/report?world=${world}&failOn=never`, profile);
  return ReportSchema.parse(body);
}

const reconcileIn = async (world: string, records: object) => resultOf(await harness.control('POST', '/reconcile', records, world));

/** Creates a world with one payment. @returns the world, and a function that reconciles records with a given status of the payment */
async function scene() {
  const { world, payOut, advance, reconcile } = await reconcileScene(harness);
  const { id } = await payOut();
  await advance();
  const book = (status: string, more: object = { complete: ['operations'] }) => reconcile({ operations: [{ id, status }], ...more });
  return { world, id, book, payOut, advance };
}

describe('a report', () => {
  it('contains the last reconciliation of each world, also after the world is deleted', async () => {
    const { world, id, book } = await scene();
    await book('COMPLETED');
    await book('REQUESTED');
    const expected = [{ world, verdict: 'DIFFERENT', count: 1, differences: [{ operation: id, kind: 'WRONG_STATUS' }] }];
    expect((await reportOn(world)).reconciliations).toMatchObject(expected);
    for (const format of ['markdown', 'html']) {
      const { text } = await harness.text(`/report?world=${world}&format=${format}`);
      expect(text).toContain('Reconciliations');
      expect(text).toContain(id);
    }
    await harness.control('DELETE', `/worlds/${world}`);
    expect((await reportOn(world)).reconciliations).toMatchObject(expected);
  });

  it('fails a profile that requires AGREED if a reconciliation since the last payment is DIFFERENT', async () => {
    const { world, book, payOut, id, advance } = await scene();
    await book('COMPLETED');
    expect((await reportOn(world)).profile?.reconciled).toEqual({ required: 'AGREED', result: 'PASSED', others: [] });
    await book('REQUESTED');
    await book('COMPLETED');
    const { verdict, why, profile: judged } = await reportOn(world);
    const what = 'was DIFFERENT before it was AGREED, without a payment between them';
    expect(judged?.reconciled).toEqual({ required: 'AGREED', result: 'FAILED', others: [{ world, verdict: 'DIFFERENT', what }] });
    expect(verdict).toBe('FAILED');
    expect(why).toContain(`Reconciliations: AGREED is required; ${world} ${what}.`);
    const second = await payOut();
    await advance();
    await reconcileIn(world, { operations: [{ id }, { id: second.id }], complete: ['operations'] });
    expect((await reportOn(world)).profile?.reconciled?.result).toBe('PASSED');
  });

  it('forgets the reconciliations of before a reset', async () => {
    const { world, book } = await scene();
    await book('REQUESTED');
    await harness.control('POST', '/reset', {}, world);
    expect((await reportOn(world)).reconciliations).toEqual([]);
    await reconcileIn(world, { operations: [], complete: ['operations'] });
    expect((await reportOn(world)).profile?.reconciled).toEqual({ required: 'AGREED', result: 'PASSED', others: [] });
  });

  it.each([
    ['rows may be missing', {}, 'has a reconciliation without "complete", so rows may be missing'],
    [
      'it compares with a time before the last payment',
      { complete: ['operations'], asOf: '2020-01-01T00:00:00Z' },
      'has created operations since its last reconciliation',
    ],
  ])('is inconclusive if the profile requires AGREED and %s', async (_name, more, what) => {
    const { world, book } = await scene();
    await book('COMPLETED', more);
    const { verdict, profile: judged } = await reportOn(world);
    expect(judged?.reconciled).toMatchObject({ result: 'NOT_COVERED', others: [{ world, what }] });
    expect(verdict).toBe('INCONCLUSIVE');
  });

  it('is inconclusive if the profile requires a reconciliation and there is none', async () => {
    const { world } = await scene();
    const { verdict, profile: judged } = await reportOn(world);
    expect(judged?.reconciled).toMatchObject({ result: 'NOT_COVERED', others: [{ world, verdict: null }] });
    expect(verdict).toBe('INCONCLUSIVE');
  });
});
