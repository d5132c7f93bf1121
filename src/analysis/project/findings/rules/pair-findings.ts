import { timestampOf } from '../../../../domain/context.js';
import type { SuspectPair } from '../pairs.js';
import type { Detection, Handlers, Retractable, RuleContext } from '../rule.js';

/** The pairs that a rule reports, and their evidence. */
interface Wanted {
  readonly isWanted: (pair: SuspectPair) => boolean;
  readonly evidence: (pair: SuspectPair) => Detection['evidence'];
}

/** Reports suspect pairs, and retracts a detection when its pair is no longer wanted. */
export function watchPairs({ pairs, report }: RuleContext, { isWanted, evidence }: Wanted): Handlers {
  const reported = new WeakMap<SuspectPair, Retractable>();
  pairs.onChange((pair) => {
    reported.get(pair)?.retract();
    reported.delete(pair);
    if (!isWanted(pair)) return;
    const { first, second, level, hasFirstFailed, isMishandled } = pair;
    reported.set(
      pair,
      report({
        about: { operationId: second.operationId },
        test: second.test,
        at: timestampOf(second.atMs),
        confidence: level === 'CERTAIN' ? 'CERTAIN' : 'LIKELY',
        evidence: evidence(pair),
        moved: hasFirstFailed ? [] : [second.id],
        concerns: isMishandled ? [first.key] : [],
      }),
    );
  });
  return {};
}
