import { createHash } from 'node:crypto';

function digest(...parts: string[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return hash.digest();
}

/** A UUID (version 4 in form) that the parts determine. */
export function deriveUuid(...parts: string[]): string {
  const bytes = digest(...parts).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A text of 0-9, A-Z and a-z that the parts determine; at most 32 characters. */
export function deriveCode(length: number, ...parts: string[]): string {
  return Array.from(digest(...parts).subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** A number from 0 to below 1 that the parts determine. */
export function deriveFraction(...parts: string[]): number {
  return digest(...parts).readUInt32BE(0) / 2 ** 32;
}
