import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadReferenceData } from '../../fixtures/reference-data.js';
import { root } from '../../testing/root.js';
import { dueAfterBusinessDays, isBusinessDay } from './business-days.js';
import { localTime, minutesOf, timestampOf } from './zoned-time.js';

const { calendars } = loadReferenceData(join(root, 'fixtures'));

/** Due times calculated in Python, with independent calendar and time zone code and holidays from an independent source. */
const table = readFileSync(join(import.meta.dirname, 'business-days.table.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1);

describe('business days', () => {
  it('result in the 500 due times that an independent program calculated', () => {
    const due = table.map((line) => {
      const [name, start = '', days, cutoff = '', opens = ''] = line.split(',');
      const calendar = calendars[name as 'BR' | 'US' | 'GB'];
      const rule = { days: Number(days), cutoff: cutoff === '' ? 1440 : minutesOf(cutoff), opens: minutesOf(opens), zone: calendar.zone };
      const { ms, isKnown } = dueAfterBusinessDays(Date.parse(start), rule, calendar);
      return [...line.split(',').slice(0, 5), isKnown ? new Date(ms).toISOString().replace(':00.000', '') : 'unknown'].join(',');
    });
    expect(due).toHaveLength(500);
    expect(due).toEqual(table);
  });

  it('are counted without weekends and holidays, from a Saturday and from a Friday after the cut-off', () => {
    const due = (start: string, days: number, cutoff = 1440) => {
      const { ms } = dueAfterBusinessDays(Date.parse(start), { days, cutoff, opens: 540, zone: 'America/Sao_Paulo' }, calendars.BR);
      return new Date(ms).toISOString();
    };
    expect(due('2026-11-21T12:00:00Z', 0)).toBe('2026-11-23T12:00:00.000Z');
    expect(due('2026-11-21T12:00:00Z', 1)).toBe('2026-11-24T12:00:00.000Z');
    // A Friday at 17:01 in São Paulo; Monday is All Souls' Day.
    expect(due('2026-10-30T20:01:00Z', 0, minutesOf('17:00'))).toBe('2026-11-03T12:00:00.000Z');
    expect(due('2026-10-30T20:00:00Z', 0, minutesOf('17:00'))).toBe('2026-11-03T12:00:00.000Z');
    expect(due('2026-10-30T19:59:00Z', 0, minutesOf('17:00'))).toBe('2026-10-30T19:59:00.000Z');
  });

  it('outside the years of a calendar exclude only weekends, and set `isKnown` to false', () => {
    const rule = { days: 1, cutoff: 1440, opens: 540, zone: 'America/Sao_Paulo' };
    expect(dueAfterBusinessDays(Date.parse('2036-12-24T12:00:00Z'), rule, calendars.BR)).toEqual({
      ms: Date.parse('2036-12-25T12:00:00Z'),
      isKnown: false,
    });
  });

  it('never result in a due time before the start, or on a weekend or holiday', () => {
    const names = fc.constantFrom('BR', 'TARGET', 'US', 'CA', 'GB');
    const start = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2035, 0, 1) });
    fc.assert(
      fc.property(names, start, fc.nat(30), fc.nat(1440), fc.nat(1439), (name, startMs, days, cutoff, opens) => {
        const calendar = calendars[name];
        const { ms } = dueAfterBusinessDays(startMs, { days, cutoff, opens, zone: calendar.zone }, calendar);
        expect(ms).toBeGreaterThanOrEqual(startMs);
        expect(isBusinessDay(localTime(ms, calendar.zone).day, calendar)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

it('a local time that is converted to a timestamp and back does not change', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom('America/New_York', 'Europe/London', 'Asia/Kolkata'), (ms, zone) => {
      const local = localTime(ms, zone);
      expect(localTime(timestampOf(local, zone), zone)).toEqual(local);
    }),
    { numRuns: 300 },
  );
});
