import { checkSignatureRoute } from '../../../contract/control/routes/signatures.js';
import { checkSignatures, type Sent } from '../../../domain/webhooks/signature-check.js';
import type { NamedSigner } from '../../../domain/webhooks/signature-mistakes.js';
import { signingCredentials } from '../../../world/credentials.js';
import type { View } from '../../../world/view.js';
import { partnerOf } from '../partner.js';
import type { ControlPlane } from '../plane.js';

/** Maximum number of other worlds whose secrets are tried, so that the check does not delay other requests. */
const maxOthers = 1000;

/** Returns access to the messages that a world has sent. */
const sentIn = (view: View): Sent => ({
  bodyOf: (messageId) => view.get('payloads', view.get('deliveries', messageId)?.payloadId ?? '')?.text,
  *idsOf(body) {
    const same = new Set<string>();
    for (const { id, text } of view.rows('payloads')) if (text === body) same.add(id);
    if (same.size > 0) for (const { id, payloadId } of view.rows('deliveries')) if (same.has(payloadId)) yield id;
  },
});

export function serveSignatures(plane: ControlPlane): void {
  const { worlds, options } = plane.sandbox;
  const { realNow } = options;
  /** Returns the signers of the other worlds. A partner sees none. */
  function* othersThan(name: string): Generator<NamedSigner> {
    let count = 0;
    for (const { identity } of worlds.values()) {
      if (identity.name === name) continue;
      if ((count += 1) > maxOthers) return;
      yield identity;
    }
  }
  plane.serve(checkSignatureRoute, ({ session, context, body: { headers, body, secret, computed } }) => {
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const realS = Math.floor(realNow() / 1000);
    return session.read((view) => {
      const others = partnerOf(context) === undefined ? { [Symbol.iterator]: () => othersThan(view.identity.name) } : [];
      const against = { genuine: signingCredentials(view.identity, realNow()), given: secret, computed, others, realS, sent: sentIn(view) };
      return checkSignatures({ headers: named, body }, against);
    });
  });
}
