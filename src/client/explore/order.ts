import { areCompatible, type Deviation } from './schedule.js';

/** Returns a generator of random numbers from 0 to below 1 (mulberry32). Equal seeds give equal numbers. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All schedules in the order in which they are tried. */
export interface ScheduleOrder {
  readonly singles: readonly Deviation[];
  /** Number of possible pairs; 0 if schedules have one deviation. */
  readonly pairCount: number;
  /** Yields the single deviations, then the pairs in the order of the seed, then random triples until no new one is found. */
  schedules(): Generator<readonly Deviation[]>;
}

/** @param deviations maximum number of deviations in a schedule */
export function orderOf(singles: readonly Deviation[], deviations: number, seed: number): ScheduleOrder {
  const pairs: (readonly Deviation[])[] = [];
  if (deviations >= 2)
    for (const [index, first] of singles.entries())
      for (const second of singles.slice(index + 1)) if (areCompatible(first, second)) pairs.push([first, second]);
  return {
    singles,
    pairCount: pairs.length,
    *schedules() {
      for (const single of singles) yield [single];
      const random = randomOf(seed);
      const open = [...pairs];
      while (open.length > 0) {
        const index = Math.floor(random() * open.length);
        yield open[index]!;
        open[index] = open.at(-1)!;
        open.pop();
      }
      if (deviations >= 3) yield* triples(singles, random);
    },
  };
}

/** Number of random draws without a new triple after which the triples end. */
const maxDraws = 1000;

function* triples(singles: readonly Deviation[], random: () => number): Generator<readonly Deviation[]> {
  const seen = new Set<string>();
  for (let draws = 0; draws < maxDraws && singles.length >= 3; draws += 1) {
    const indexes = [...new Set([0, 1, 2].map(() => Math.floor(random() * singles.length)))].toSorted((a, b) => a - b);
    const triple = indexes.map((index) => singles[index]!);
    const isPossible = triple.length === 3 && triple.every((a, at) => triple.slice(at + 1).every((b) => areCompatible(a, b)));
    if (!isPossible || seen.has(indexes.join())) continue;
    seen.add(indexes.join());
    draws = 0;
    yield triple;
  }
}
