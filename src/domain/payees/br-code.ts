import { startOf } from '../../contract/shared/messages/cut.js';

/** The content of a BR Code: a PIX key, or one charge, whose amount and id are available at a URL. */
type Pix = StaticPix | ChargePix;

interface ChargePix {
  /** URL of the charge, without its scheme. */
  readonly location: string;
  /** Decimal string with two decimal places. */
  readonly amount: string;
  readonly name: string;
  readonly city: string;
}

interface StaticPix {
  readonly key: string;
  readonly name: string;
  readonly city: string;
  /** At most 25 letters and digits that identify the payment. */
  readonly reference: string;
}

/** Maximum length of the amount in a BR Code. A longer amount is only available at the URL of the charge. */
const maxAmountLength = 13;

/**
 * Encodes a BR Code: the text of a QR code, in the central bank's profile of the EMV merchant QR code. The code of a key is static and has
 * no amount; the code of a charge is dynamic. Names are reduced to ASCII and cut to their maximum length.
 */
export function brCode(pix: Pix): string {
  const { name, city } = pix;
  const isCharge = 'location' in pix;
  const payload = [
    field('00', '01'),
    isCharge ? field('01', '12') : '',
    field('26', field('00', 'br.gov.bcb.pix') + (isCharge ? field('25', pix.location) : field('01', pix.key))),
    field('52', '0000'),
    field('53', '986'),
    isCharge && pix.amount.length <= maxAmountLength ? field('54', pix.amount) : '',
    field('58', 'BR'),
    field('59', ascii(name, 25)),
    field('60', ascii(city, 15)),
    // The URL of a charge provides its id.
    field('62', field('05', isCharge ? '***' : pix.reference)),
    '6304',
  ].join('');
  return payload + crc16(payload);
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value;
}

/** The letters of Latin alphabets that do not decompose into an ASCII letter and an accent. */
const nearest: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  Ŋ: 'N',
  ŧ: 't',
  Ŧ: 'T',
  ə: 'e',
  Ə: 'E',
  '\u2019': "'",
  '\u2018': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2013': '-',
  '\u2014': '-',
};

/** Replaces letters by their nearest ASCII letters, and removes what an EMV QR code does not allow; "-" if nothing is left. */
function ascii(text: string, maxLength: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, (letter) => nearest[letter] ?? letter)
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  return startOf(plain, maxLength).trim() || '-';
}

/** Returns the CRC-16 that EMV requires (polynomial 1021, initial value FFFF) as four hex digits. */
function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
