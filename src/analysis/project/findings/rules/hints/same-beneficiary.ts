import { textOf } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
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
  examples: {
    invalid: [register(), register({ as: 'again' })],
    valid: [register({ key: 'first' }), register({ key: 'first' }), register({ lastName: 'Moura' })],
  },
  create({ lruMap, report }) {
    const known = lruMap<Remembered & { readonly key: string }>(60);
    return {
      operations: new Set(['createBeneficiary']),
      exchange(call) {
        const { fingerprint, id, key, record } = call;
        if (fingerprint === null || record.status !== 201 || !call.isDelivered) return;
        const first = known.get(fingerprint);
        if (!first) return known.set(fingerprint, { ref: id, key: key! });
        if (first.key === key) return;
        const evidence = [
          { ref: first.ref, what: 'The beneficiary was registered here.' },
          { ref: id, what: `The beneficiary was registered again here, as ${textOf(call.responseBody['id']) ?? 'another beneficiary'}.` },
        ];
        report({ ...call.place, evidence });
      },
    };
  },
});
