import type { DeviationKind } from './guarantees.js';

/** A change to a journey that an exploration tries, for example a late event, a lost response or a crash. */
export interface Deviation {
  readonly kind: DeviationKind;
  /** The event, the write or the operation, for example `OPERATION_COMPLETED#1`, `createWithdrawal#1` or `operation#2`. */
  readonly subject: string;
  /** The other event or the write, `now`, `together`, `end`, or the point of a crash: `before`, `after` or `webhook`. Null if the kind needs none. */
  readonly at: string | null;
}

/** Returns a deviation as a sentence without a full stop. */
export function sentenceOf({ kind, subject, at }: Deviation): string {
  const name = shortName(subject);
  switch (kind) {
    case 'late':
      return `${name} arrives after ${at === 'end' ? 'everything else' : shortName(at!)}`;
    case 'twice':
      if (at === 'together') return `${name} arrives twice at the same time`;
      return at === 'now' ? `${name} arrives twice` : `${name} arrives again after everything else`;
    case 'early':
      return `${name} arrives before the response to ${shortName(at!)}`;
    case 'overlap':
      return `${name} and ${shortName(at!)} arrive at the same time`;
    case 'lost':
      return `${name} never arrives`;
    case 'slow':
      return `${name} begins after all others are over`;
    case 'lostResponse':
      return `the response to ${name} is lost`;
    case 'unavailable':
      return `${name} is unavailable once`;
    case 'crash':
      return at === 'webhook'
        ? `the program dies while it handles ${name}`
        : `the program dies during ${name}, ${at === 'before' ? 'before it takes effect' : 'before the response'}`;
  }
}

/** Returns a name without its number if the number is 1. */
const shortName = (name: string) => name.replace(/#1$/, '');
