import { cut, startOf } from './cut.js';

/** Returns at most `limit` characters of a text, without secrets: they are removed before the cut, so that no part of one remains. */
export type SecretRemover = (text: string, limit: number) => string;

/** The secret removers of all sandboxes of this process. Weak references, so that a closed sandbox can be garbage-collected. */
const removers = new Set<WeakRef<{ readonly removeSecrets: SecretRemover }>>();

/** Adds a secret remover, which changes every quoted text for as long as `owner` exists. */
export function addSecretRemover(owner: { readonly removeSecrets: SecretRemover }): void {
  removers.add(new WeakRef(owner));
}

/** Number of characters beyond the shown part that the secret removers get: more than the length of any spelling of a secret. */
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
  for (const each of removers) {
    const owner = each.deref();
    if (owner) shown = owner.removeSecrets(shown, limit);
    else removers.delete(each);
  }
  return shown;
}
