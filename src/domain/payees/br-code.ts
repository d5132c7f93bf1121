/** What a static BR Code says: whose PIX key, and what the payment is told apart by. */
interface StaticPix {
  readonly key: string;
  readonly name: string;
  readonly city: string;
  /** Up to 25 letters and digits. */
  readonly reference: string;
}

/**
 * A static BR Code without an amount: the text that the QR code of a PIX key holds, as the central bank profiles the merchant-presented
 * QR code of EMV. Names are in ASCII and cut to what their fields hold.
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

/** A name without accents, in characters that a QR code of EMV may hold; a dash when none of it can be kept. */
function ascii(text: string, maxLength: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  return plain.slice(0, maxLength).trim() || '-';
}

/** CRC-16 with polynomial 1021 and initial value FFFF, as EMV wants it: four hex digits. */
function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
