import { field, optionalField, object, taxNumber, text, withPrefix, word, type Field, type Kind } from '../field-tables.js';

/** A complete, valid request of the payments API, with its fields in the order of the specification. */
export interface RequestTable {
  readonly name: string;
  readonly method: 'POST' | 'PATCH';
  /** The path; `{accountId}` and similar parameters are replaced by existing ids. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The fields of the body. */
  readonly fields: readonly Field[];
}

/** An id that does not exist. */
export const unknownId = '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77';
export const assetCodes = 'USD BRL EUR CAD AUD GBP MXN HKD SGD PHP NZD CHF NOK DKK PLN SEK USDC USDT EURC BRLT'.split(' ');
export const asset = word(assetCodes, 'XBT', 'BRLX');
export const cpf = taxNumber(['271.828.182-05', '27182818205'], '271.828.182-06', '11111111111');
export const cnpj = taxNumber(['42.273.345/0001-69'], '42273345000168', '00000000000000');
/** Returns the fields of a tax id. @param number kind of the field `value` */
export const taxId = (number: Kind): Field[] => [field('value', number), field('type', { ...word(['CPF'], 'CPF_OR_CNPJ'), good: [] })];
export const postalAddress: Field[] = [
  field('addressLine1', text(200)),
  optionalField('addressLine2', text(200), { isNullable: true }),
  field('city', text(120)),
  field('state', text(120)),
  field('country', word(['BR', 'US', 'PT'], 'XX', 'BRA', 'Brazil')),
  field('postalCode', text(20)),
];
export const address = [field('address', object), ...withPrefix('address', postalAddress)];
export const maybeAddress = [optionalField('address', object), ...withPrefix('address', postalAddress)];
/** Returns a field whose value selects the other fields, so that valid requests must have the value `own`. */
export const variant = (name: string, own: string) => field(name, { ...word([own]), good: [] }, { decides: true });
export const place = {
  addressLine1: 'Rua 1',
  addressLine2: 'Sala 2',
  city: 'Rio Claro',
  state: 'SP',
  country: 'BR',
  postalCode: '13500-000',
};
