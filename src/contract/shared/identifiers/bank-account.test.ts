import iban from 'iban';
import { isSEPACountry } from 'ibantools';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountCheckDigit,
  isBic,
  isBrazilianAccount,
  isIban,
  isRoutingNumber,
  isSepaIban,
  normalizeIban,
  sepaCountries,
} from './bank-account.js';

/** Adds a number to the digit at a position, modulo 10. */
function damage(text: string, place: number, by: number): string {
  const digit = (Number(text[place]) + by) % 10;
  return text.slice(0, place) + String(digit) + text.slice(place + 1);
}

describe('IBANs', () => {
  // The examples of the IBAN register of SWIFT (ISO 13616).
  it.each([
    'AD12 0001 2030 2003 5910 0100',
    'AE07 0331 2345 6789 0123 456',
    'AT61 1904 3002 3457 3201',
    'BE68 5390 0754 7034',
    'BR18 0036 0305 0000 1000 9795 493C 1',
    'CH93 0076 2011 6238 5295 7',
    'CZ65 0800 0000 1920 0014 5399',
    'DE89 3704 0044 0532 0130 00',
    'DK50 0040 0440 1162 43',
    'ES91 2100 0418 4502 0005 1332',
    'FI21 1234 5600 0007 85',
    'FR14 2004 1010 0505 0001 3M02 606',
    'GB29 NWBK 6016 1331 9268 19',
    'IE29 AIBK 9311 5212 3456 78',
    'IT60 X054 2811 1010 0000 0123 456',
    'LT12 1000 0111 0100 1000',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
    'NL91 ABNA 0417 1643 00',
    'NO93 8601 1117 947',
    'PL61 1090 1014 0000 0712 1981 2874',
    'PT50 0002 0123 1234 5678 9015 4',
    'SE45 5000 0000 0583 9825 7466',
  ])('such as %s are valid, and invalid with any one digit changed', (printed) => {
    const plain = normalizeIban(printed);
    expect([isIban(printed), isIban(plain), isIban(plain.toLowerCase()), iban.isValid(plain)]).toEqual([true, true, true, true]);
    for (const [place, character] of Array.from(plain).entries()) {
      for (let by = 1; by < 10 && /[0-9]/.test(character); by += 1) expect(isIban(damage(plain, place, by))).toBe(false);
    }
  });

  it.each(['', 'DE', 'DE89 3704 0044 0532 0130', 'XX89370400440532013000', 'DE89-3704-0044-0532-0130-00', 'DE89370400440532013000\n'])(
    'such as %j are invalid',
    (text) => {
      expect(isIban(text)).toBe(false);
    },
  );

  it('are accepted for SEPA only from a SEPA country', () => {
    expect([isSepaIban('CH9300762011623852957'), isSepaIban('AE070331234567890123456')]).toEqual([true, false]);
    // The examples of the IBAN register for the countries that joined last.
    const joined = ['AL47 2121 1009 0000 0002 3569 8741', 'MD24 AG00 0225 1000 1310 4168', 'MK07 2501 2000 0058 984'];
    expect(joined.filter((each) => !isSepaIban(each))).toEqual([]);
    const others = [
      'XK05 1212 0123 4567 8906',
      'UA21 3223 1300 0002 6007 2335 6600 1',
      'GE29 NB00 0000 0101 9049 17',
      'BA39 1290 0794 0102 8494',
    ];
    expect(others.filter((each) => !isIban(each) || isSepaIban(each))).toEqual([]);
  });

  it('are of the SEPA countries of the library and of those that joined since', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    expect(codes.filter((code) => sepaCountries.has(code) && !isSEPACountry(code))).toEqual(['AL', 'MD', 'ME', 'MK', 'RS']);
    expect(codes.filter((code) => isSEPACountry(code) && !sepaCountries.has(code))).toEqual([]);
    expect(sepaCountries.size).toBe(42);
  });
});

describe('BICs', () => {
  it.each(['DEUTDEFF', 'DEUTDEFF500', 'NEDSZAJJ', 'deutdeff', 'BOFAUS3N', 'ITAUBRSP', '3WAYDE2A', 'A1B2GB2LXXX', '1234SG12', 'a1b2xk22'])(
    'such as %s are valid',
    (bic) => {
      expect(isBic(bic)).toBe(true);
    },
  );

  it.each(['', 'DEUTDEF', 'DEUTDEFF5', 'DEUTXXFF', 'DEUT1EFF', 'DEUTDEFF50 ', 'DE-TDEFF', '\u00c4EUTDEFF', 'DEUT12FF', 'DEUTDEF\u00c4'])(
    'such as %j are invalid',
    (bic) => {
      expect(isBic(bic)).toBe(false);
    },
  );
});

describe('ABA routing numbers', () => {
  // Routing numbers that the banks publish.
  it.each(['021000021', '026009593', '011401533', '091000019', '121000358', '122105155', '322271627', '072403473'])(
    'such as %s are valid, and invalid with any one digit changed',
    (routingNumber) => {
      expect(isRoutingNumber(routingNumber)).toBe(true);
      for (let place = 0; place < 9; place += 1) {
        for (let by = 1; by < 10; by += 1) expect(isRoutingNumber(damage(routingNumber, place, by))).toBe(false);
      }
    },
  );

  it.each(['', '000000000', '02100002', '0210000210', '131000012', '02100002a'])('such as %j are invalid', (routingNumber) => {
    expect(isRoutingNumber(routingNumber)).toBe(false);
  });
});

describe('Brazilian accounts', () => {
  // Two accounts from Banco do Brasil's manual for payment slips, and one whose check digit is X, for ten.
  it.each([
    ['00210169', '6'],
    ['1584', '9'],
    ['06', 'X'],
  ])('have a modulo 11 check digit: %s-%s', (digits, checkDigit) => {
    expect(accountCheckDigit(digits)).toBe(checkDigit);
  });

  it("of the sandbox's bank need the correct check digit", () => {
    const digits = fc.stringMatching(/^[0-9]{8}$/);
    fc.assert(
      fc.property(digits, fc.nat(7), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const checkDigit = accountCheckDigit(number);
        expect(isBrazilianAccount('999', `${number}-${checkDigit}`)).toBe(true);
        expect(isBrazilianAccount('999', number + checkDigit)).toBe(true);
        expect(isBrazilianAccount('999', `${damage(number, place, by)}-${checkDigit}`)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['', '7', '12345-', '-1', '12345-67', '1234X-5', '123456789012345'])(
    'with the number %j are invalid at every bank',
    (accountNumber) => {
      expect(isBrazilianAccount('341', accountNumber)).toBe(false);
    },
  );
});
