import { createHash } from 'node:crypto';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns a string without the ids of requests, which differ in every run. */
export function withoutRequestIds(text: string): string {
  return text.includes('req_') || text.includes('ctl_') ? text.replaceAll(/\b(req|ctl)_[A-Za-z0-9_-]{21}/g, '$1_') : text;
}

/** Returns the hash by which a replay compares a response. */
export const responseHash = (text: string) => sha256(withoutRequestIds(text));
