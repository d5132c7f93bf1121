import { checkSignatureRoute } from '../../contract/control/routes/signatures.js';
import { checkSignatures, type Sent } from '../../domain/webhooks/signature-check.js';
import type { View } from '../../world/view.js';
import type { ControlPlane } from '../plane.js';

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
  const { realNow } = plane.sandbox.options;
  plane.serve(checkSignatureRoute, ({ session, body: { headers, body, secret } }) => {
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const realS = Math.floor(realNow() / 1000);
    return session.read((view) =>
      checkSignatures({ headers: named, body }, { genuine: view.identity, given: secret, realS, sent: sentIn(view) }),
    );
  });
}
