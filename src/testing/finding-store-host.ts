import type { FindingStoreHost } from '../analysis/project/findings/finding-store.js';

/** Returns a host for a finding store without a world. */
export function hostOf(test: () => string | null, changes: Partial<FindingStoreHost> = {}): FindingStoreHost {
  return {
    test,
    isNegative: () => false,
    moneyOf: () => [],
    redacted: (text) => text,
    onFound: () => undefined,
    onRetracted: () => undefined,
    ...changes,
  };
}
