import { z } from '@hono/zod-openapi';
import { isTaxId, maxTaxIdLength, normalizeTaxId, taxIdTypes } from './identifiers/tax-id.js';
import { taxIdExamples } from './identifiers/tax-id-examples.js';
import { expected, type Expected } from './messages/forms.js';
import { fieldsOf, rule } from './rule.js';

const TaxIdTypeSchema = z.enum(taxIdTypes).openapi('TaxIdType', {
  description:
    'Kind of tax or identity number. Each but OTHER is checked by the rules of its register, check digits included; OTHER takes 1 to 32 letters, digits, `.`, `/` and `-`. CPF is for people, CNPJ for companies.',
  example: 'CNPJ',
});

export const TaxIdSchema = z
  .object({
    value: z.string().meta({ description: 'The number without its punctuation, letters in capitals.', example: '11222333000181' }),
    type: TaxIdTypeSchema.describe('The register that the number is of.'),
  })
  .openapi('TaxId', { description: 'A tax or identity number, as responses show it.' });

export type TaxId = z.infer<typeof TaxIdSchema>;

/** A tax id in a request: punctuation is accepted and dropped. */
export const TaxIdRequestSchema = rule(
  z.object({
    value: z.string().max(maxTaxIdLength, `expected at most ${maxTaxIdLength} characters`).meta({
      minLength: 1,
      description: 'The number, with or without its punctuation. It has to be one that the register could have issued.',
      example: '11.222.333/0001-81',
    }),
    type: TaxIdTypeSchema.describe('The register that the number is of; it decides how the number is checked.'),
  }),
  (raw, report) => {
    const { value, type } = fieldsOf(raw);
    const known = taxIdTypes.find((each) => each === type);
    if (known === undefined || typeof value !== 'string' || value.length > maxTaxIdLength || isTaxId(known, value)) return;
    report('VALIDATE_TAX_ID', ['value'], expected(`a number that a ${known} can have`, taxIdExamples[known]), { type: known });
  },
)
  .overwrite((taxId) => ({ type: taxId.type, value: normalizeTaxId(taxId.type, taxId.value) }))
  .openapi('TaxIdRequest', { description: 'A tax or identity number, as a request gives it.' });

/** Adds to a person or a company the rule that its tax id is of its kind: Brazil gives a CPF to people and a CNPJ to companies. */
export function withOwnTaxId<S extends z.ZodType>(kind: 'PERSON' | 'COMPANY', schema: S): S {
  const [other, right] = kind === 'PERSON' ? (['CNPJ', 'CPF'] as const) : (['CPF', 'CNPJ'] as const);
  return rule(schema, (raw, report) => {
    if (fieldsOf(fieldsOf(raw)['taxId'])['type'] !== other) return;
    const owner = kind === 'PERSON' ? 'company' : 'person';
    const message: Expected = `expected a ${right}, or the number of another country, since a ${other} is the number of a ${owner}`;
    report('VALIDATE_TAX_ID', ['taxId', 'value'], message, { type: other, expected: right });
  });
}
