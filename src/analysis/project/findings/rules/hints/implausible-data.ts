import { listOf, objectOf, textOf, type Json } from '../../call.js';
import { defineRule } from '../../rule.js';
import { register } from '../../script.js';

/** The operations whose bodies contain telephone numbers, addresses or bank accounts. */
const operations: ReadonlySet<string> = new Set(['createAccount', 'createUbo', 'updateUbo', 'createBeneficiary']);

const swift = (iban: string) => ({
  body: {
    holder: {
      type: 'INDIVIDUAL',
      firstName: 'Caio',
      lastName: 'Menezes',
      taxId: { type: 'CPF', value: '31415926590' },
      dateOfBirth: '1991-11-02',
    },
    relationshipType: 'THIRD_PARTY',
    paymentInstruction: { type: 'BANK_ACCOUNT', asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban },
  },
});

export const implausibleData = defineRule({
  id: 'data.implausible',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  title: 'A field has a valid but implausible value',
  advice: 'Check where the value comes from. The service accepts it, but a reviewer or a bank may reject it.',
  alternativeExplanation: 'The value is unusual, but right.',
  examples: { invalid: [register(swift('DE89370400440532013000'))], valid: [register(swift('GB29NWBK60161331926819'))] },
  create({ report }) {
    return {
      operations,
      exchange(call) {
        if (!call.done || call.done.status >= 300) return;
        for (const what of oddities(call.body)) report({ ...call.place, evidence: [{ ref: call.id, what }] });
      },
    };
  },
});

/** Returns the implausible values in a body, as sentences without the values themselves, because they may be personal. */
function oddities(body: Json): string[] {
  const places: readonly (readonly [string, Json])[] = [
    ['', body],
    ['owner.', objectOf(body['owner'])],
    ['holder.', objectOf(body['holder'])],
    ...listOf(objectOf(body['owner'])['ubos']).map((ubo, index): readonly [string, Json] => [`owner.ubos[${index}].`, ubo]),
  ];
  return [
    ...places.flatMap(([at, { phone, address }]) => [
      ...(typeof phone === 'string' && !/[0-9]/.test(phone) ? [`${at}phone has no digits.`] : []),
      ...postalOddity(`${at}address`, objectOf(address)),
    ]),
    ...bankOddity(objectOf(body['paymentInstruction'])),
  ];
}

function postalOddity(at: string, { country, postalCode }: Json): string[] {
  if (country !== 'BR' || typeof postalCode !== 'string' || /^[0-9]{5}-?[0-9]{3}$/.test(postalCode.replace('.', '').trim())) return [];
  return [`${at}.postalCode is not a CEP, which has 8 digits.`];
}

function bankOddity(instruction: Json): string[] {
  const [bic, iban] = [textOf(instruction['bic']), textOf(instruction['iban'])];
  if (bic === undefined || iban === undefined) return [];
  const [ofBank, ofAccount] = [bic.slice(4, 6).toUpperCase(), iban.trim().slice(0, 2).toUpperCase()];
  if (ofBank === ofAccount) return [];
  return [`paymentInstruction.bic is of a bank in ${ofBank}, and paymentInstruction.iban of an account in ${ofAccount}.`];
}
