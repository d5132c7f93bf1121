import { z } from '@hono/zod-openapi';
import { isTaxId, maxTaxIdLength, normalizeTaxId, taxIdTypes } from './identifiers/tax-id.js';
import { taxIdExamples } from './identifiers/tax-id-examples.js';
import { expected, type Expected } from './messages/forms.js';
import { fieldsOf, rule } from './rule.js';

const TaxIdTypeSchema = z.enum(taxIdTypes).openapi('TaxIdType', {
  description:
    'Type of a tax or identity number. Every type except OTHER is checked by the rules of its register, including check digits. OTHER accepts 1 to 32 letters, digits, `.`, `/` and `-`. CPF is for people, CNPJ for companies.',
  example: 'CNPJ',
});

export const TaxIdSchema = z
  .object({
    value: z.string().meta({ description: 'The number without punctuation, with capital letters.', example: '11222333000181' }),
    type: TaxIdTypeSchema.describe('Register of the number.'),
  })
  .openapi('TaxId', { description: 'Tax or identity number in responses.' });

export type TaxId = z.infer<typeof TaxIdSchema>;

/** A tax id in a request: punctuation is accepted and removed. */
export const TaxIdRequestSchema = rule(
  z.object({
    value: z.string().max(maxTaxIdLength, `expected at most ${maxTaxIdLength} characters`).meta({
      minLength: 1,
      description: 'The number, with or without punctuation. It must be valid in its register.',
      example: '11.222.333/0001-81',
    }),
    type: TaxIdTypeSchema.describe('Register of the number. It decides how the number is checked.'),
  }),
  (raw, report) => {
    const { value, type } = fieldsOf(raw);
    const known = taxIdTypes.find((each) => each === type);
    if (known === undefined || typeof value !== 'string' || value.length > maxTaxIdLength || isTaxId(known, value)) return;
    report('VALIDATE_TAX_ID', ['value'], expected(`a valid ${known}`, taxIdExamples[known]), { type: known });
  },
)
  .overwrite((taxId) => ({ type: taxId.type, value: normalizeTaxId(taxId.type, taxId.value) }))
  .openapi('TaxIdRequest', { description: 'Tax or identity number in a request.' });

/** Adds the rule that a tax id must fit its owner: in Brazil, people have a CPF and companies a CNPJ. */
export function withOwnTaxId<S extends z.ZodType>(kind: 'PERSON' | 'COMPANY', schema: S): S {
  const [other, right] = kind === 'PERSON' ? (['CNPJ', 'CPF'] as const) : (['CPF', 'CNPJ'] as const);
  return rule(schema, (raw, report) => {
    if (fieldsOf(fieldsOf(raw)['taxId'])['type'] !== other) return;
    const owner = kind === 'PERSON' ? 'company' : 'person';
    const message: Expected = `expected a ${right}, or a number of another country, because a ${other} belongs to a ${owner}`;
    report('VALIDATE_TAX_ID', ['taxId', 'value'], message, { type: other, expected: right });
  });
}
