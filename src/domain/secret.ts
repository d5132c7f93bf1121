import { hash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal. The comparison time does not reveal where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}
