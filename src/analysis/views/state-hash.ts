import { createHash } from 'node:crypto';
import type { Interruptible } from '../../domain/interruptible.js';
import type { StateCapture } from '../../world/document/capture.js';
import type { Redactor } from '../../exchange/redact.js';
import { withoutRequestIds } from '../../exchange/response-hash.js';

/** Length of the random part of a token id. */
const tokenIdLength = 21;

/** Tables whose rows are created when an attempt begins, at a time that depends on the real time of the attempt. */
const tablesOfAttempts: ReadonlySet<string> = new Set(['executionLogs', 'inboxMessages']);

/**
 * Returns the SHA-256 of a state without secrets, and without the parts that differ in every run: ids of requests and tokens, values that
 * depend on the real time of an attempt, and the order of the rows, which have an order of their own where it matters. Can pause after each
 * row.
 * @param redactor removes the secrets
 */
export function* stateHash({ tables, ...head }: StateCapture, redactor: Redactor, incarnation: string): Interruptible<string> {
  const plain = (value: unknown) =>
    withoutRequestIds(redactor.text(JSON.stringify(value)))
      .replaceAll(/"(startedAt|webhook-timestamp|webhook-signature)":"[^"]{0,200}"/g, '')
      .split(`${incarnation}.`)
      .map((part, index) => (index === 0 ? part : part.slice(tokenIdLength)))
      .join('');
  const hash = createHash('sha256').update(plain({ version: 1, ...head }));
  for (const [name, rows] of tables) {
    hash.update(`\n${name}`);
    const lines: string[] = [];
    for (const row of rows) {
      lines.push(plain(tablesOfAttempts.has(name) ? { ...row, createdAt: null } : row));
      yield;
    }
    for (const line of lines.toSorted()) {
      hash.update(`\n${line}`);
      yield;
    }
  }
  return hash.digest('hex');
}
