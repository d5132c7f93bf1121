import { z } from '@hono/zod-openapi';
import { expected, type Expected } from '../messages/forms.js';
import { taxIdExamples } from './tax-id-examples.js';
import { isTaxId, normalizeTaxId } from './tax-id.js';

export const pixKeyTypes = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;
export type PixKeyType = (typeof pixKeyTypes)[number];

export const PixKeyTypeSchema = z.enum(pixKeyTypes).openapi('PixKeyType', {
  description: 'Type of PIX key: a tax id, an e-mail address, a telephone number in international form, or a random key (EVP).',
  example: 'EMAIL',
});

/** The formats of the central bank's directory of PIX keys (DICT), which limits an e-mail address to 77 characters. */
const patterns = {
  EMAIL: /^(?=.{3,77}$)[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i,
  PHONE: /^\+[1-9][0-9]{6,14}$/,
  EVP: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
} as const;

/** The expected format of each type of PIX key, for error messages. */
export const pixKeysWanted: Readonly<Record<PixKeyType, Expected>> = {
  CPF: expected('a CPF', taxIdExamples.CPF),
  CNPJ: expected('a CNPJ', taxIdExamples.CNPJ),
  EMAIL: expected('an e-mail address of at most 77 characters', 'caio.menezes@example.com'),
  PHONE: expected('a telephone number with its country code', '+5548991234567'),
  EVP: expected('a UUID', '123e4567-e12b-12d1-a456-426655440000'),
};

export function isPixKey(type: PixKeyType, key: string): boolean {
  return type === 'CPF' || type === 'CNPJ' ? isTaxId(type, key) : patterns[type].test(key);
}

/** Returns the key as the directory stores it: numbers without punctuation, e-mail addresses and random keys in lower case. */
export function normalizePixKey(type: PixKeyType, key: string): string {
  if (type === 'CPF' || type === 'CNPJ') return normalizeTaxId(type, key);
  return type === 'PHONE' ? key : key.toLowerCase();
}
