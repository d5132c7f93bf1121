import { cut, startOf } from './cut.js';

/** Returns at most `limit` characters of a text, without secrets: they are removed before the cut, so that no part of one remains. */
export type SecretRemover = (text: string, limit: number) => string;

/** The gates of all sandboxes of this process. Weak, so that a gate ends with its sandbox. */
const gates = new Set<WeakRef<{ readonly gate: SecretRemover }>>();

/** Adds a gate, which every quoted text passes for as long as `owner` exists. */
export function addSecretRemover(owner: { readonly gate: SecretRemover }): void {
  gates.add(new WeakRef(owner));
}

/** Number of characters beyond the shown part that the gates get: more than the length of any spelling of a secret. */
const lookAhead = 4 * 1024;

/** Returns the text without secrets. */
export function withoutSecrets(text: string): string {
  return through(text, Infinity);
}

/** Returns the beginning of a received text for a message, without secrets, and with `…` if it is cut. */
export function quoted(text: string, limit: number): string {
  const shown = through(startOf(text, limit + lookAhead), limit + lookAhead);
  return cut(shown, limit);
}

function through(text: string, limit: number): string {
  let shown = text;
  for (const each of gates) {
    const owner = each.deref();
    if (owner) shown = owner.gate(shown, limit);
    else gates.delete(each);
  }
  return shown;
}
