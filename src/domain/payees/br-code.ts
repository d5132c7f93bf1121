/** The content of a static BR Code. */
interface StaticPix {
  readonly key: string;
  readonly name: string;
  readonly city: string;
  /** At most 25 letters and digits that identify the payment. */
  readonly reference: string;
}

/**
 * Encodes a static BR Code without an amount: the text in the QR code of a PIX key, as the central bank profiles the EMV merchant QR code.
 * Names are reduced to ASCII and cut to their maximum length.
 */
export function staticBrCode({ key, name, city, reference }: StaticPix): string {
  const payload = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    field('58', 'BR'),
    field('59', ascii(name, 25)),
    field('60', ascii(city, 15)),
    field('62', field('05', reference)),
    '6304',
  ].join('');
  return payload + crc16(payload);
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value;
}

/** Removes accents and characters that an EMV QR code does not allow; "-" if nothing is left. */
function ascii(text: string, maxLength: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  return plain.slice(0, maxLength).trim() || '-';
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
