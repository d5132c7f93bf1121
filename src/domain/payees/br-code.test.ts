import { describe, expect, it } from 'vitest';
import { brCode } from './br-code.js';

const key = '123e4567-e12b-12d1-a456-426655440000';

describe('a static BR Code', () => {
  // The example in the central bank's manual for BR Codes.
  it("matches the example of the central bank's manual", () => {
    expect(brCode({ key, name: 'Fulano de Tal', city: 'BRASILIA', reference: '***' })).toBe(
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    );
  });

  it.each([
    ['Aurora Comércio Exterior Ltda', '5924Aurora Comercio Exterior'],
    ['Zoë  Ümlaut', '5910Zoe Umlaut'],
    ['Großhandel Łódź', '5916Grosshandel Lodz'],
    ['Søren Ærø – Đoković', '5920Soren AEro - Dokovic'],
    ['株式会社', '5901-'],
    ['A'.repeat(60), `5925${'A'.repeat(25)}`],
  ])('encodes the name %s as %s', (name, field) => {
    expect(brCode({ key, name, city: 'BRASILIA', reference: '***' })).toContain(`5802BR${field}6008`);
  });
});
