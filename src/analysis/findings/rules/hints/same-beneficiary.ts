import { textOf } from '../../call.js';
import type { Remembered } from '../../memory.js';
import { defineRule } from '../../rule.js';
import { register } from '../../script.js';

export const sameBeneficiary = defineRule({
  id: 'hint.same-beneficiary',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  title: 'The same beneficiary was registered again',
  advice: 'Store the id of the beneficiary with the payee. A second beneficiary is reviewed again, which delays payments.',
  alternativeExplanation: 'The second review was intended.',
  records: {
    fires: [register(), register({ as: 'again' })],
    mustNotFire: [register({ key: 'first' }), register({ key: 'first' }), register({ lastName: 'Moura' })],
  },
  watch({ shelf, sight }) {
    const known = shelf<Remembered & { readonly key: string }>(60);
    return {
      operations: new Set(['createBeneficiary']),
      exchange(call) {
        const { fingerprint, id, key, seen } = call;
        if (fingerprint === null || seen.status !== 201 || !call.isTold) return;
        const first = known.get(fingerprint);
        if (!first) return known.set(fingerprint, { ref: id, key: key! });
        if (first.key === key) return;
        const evidence = [
          { ref: first.ref, what: 'It was registered here.' },
          { ref: id, what: `Registered again here, as ${textOf(call.answer['id']) ?? 'another one'}.` },
        ];
        sight({ ...call.place, evidence });
      },
    };
  },
});
