import { describe, expect, it } from 'vitest';
import { isPixKey, normalizePixKey, type PixKeyType } from './pix-key.js';

describe('PIX keys', () => {
  it.each<[PixKeyType, string, string]>([
    ['CPF', '314.159.265-90', '31415926590'],
    ['CNPJ', '31.415.926/0001-71', '31415926000171'],
    ['CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['EMAIL', 'Caio.Menezes+PIX@Example.com', 'caio.menezes+pix@example.com'],
    ['EMAIL', 'r&d/#1@example.com', 'r&d/#1@example.com'],
    ['EMAIL', `${'a'.repeat(65)}@example.com`, `${'a'.repeat(65)}@example.com`],
    ['PHONE', '+5511987654321', '+5511987654321'],
    ['EVP', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ])('of type %s: %s is stored as %s', (type, key, kept) => {
    expect(isPixKey(type, key)).toBe(true);
    expect(normalizePixKey(type, key)).toBe(kept);
  });

  it.each<[PixKeyType, string]>([
    ['CPF', '314.159.265-91'],
    ['CPF', '000.000.000-00'],
    ['CNPJ', '31.415.926/0001-72'],
    ['EMAIL', 'caio'],
    ['EMAIL', 'caio@example'],
    ['EMAIL', 'caio@@example.com'],
    ['EMAIL', `${'a'.repeat(66)}@example.com`],
    ['PHONE', '11987654321'],
    ['PHONE', '+55 11 98765 4321'],
    ['PHONE', '+0511987654321'],
    ['EVP', '123e4567e12b12d1a456426655440000'],
    ['EVP', ''],
  ])('of type %s cannot be %s', (type, key) => {
    expect(isPixKey(type, key)).toBe(false);
  });
});
