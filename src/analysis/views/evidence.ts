import { maxEvidenceBody, type EvidenceRequest } from '../../contract/control/analysis/findings.js';
import type { RecordedText, RecordEntry } from '../../contract/control/analysis/record.js';
import type { World } from '../../world/world.js';
import { maskedJson, maskedValue } from './personal.js';
import type { CallRecord } from './record.js';
import type { Exchange } from '../../exchange/entry.js';
import type { EvidenceOf } from '../project/findings/present.js';

/** Maximum number of characters of all bodies that one reader returns. Further bodies are left out. */
const maxBodies = 512 * 1024;

/** Returns a reader of the recorded requests of a world. Secrets and personal data in bodies are masked. */
export function evidenceReader(record: CallRecord, world: World): EvidenceOf {
  let byId: ReadonlyMap<string, Exchange> | undefined;
  let characters = 0;
  const bodyOf = (body: RecordedText | null): string | null => {
    const text = body === null || body.truncated ? null : maskedJson(body.text);
    if (text === null || text.length > maxEvidenceBody || characters + text.length > maxBodies) return null;
    characters += text.length;
    return text;
  };
  return (ref) => {
    byId ??= new Map(
      record
        .of(world)
        .all()
        .map((each) => [each.id, each]),
    );
    const stored = byId.get(ref);
    if (!stored) return record.inherited.get(world)?.get(ref) ?? { at: null, request: null };
    const entry = record.entry(world, stored);
    if (!entry || entry.kind === 'MARK') return { at: null, request: null };
    return { at: entry.at, realAt: entry.startedAt, request: requestOf(entry, bodyOf) };
  };
}

/** Masks the query parameters of a URL that may contain personal data. */
function maskedUrl(url: string): string {
  const at = url.indexOf('?');
  if (at < 0) return url;
  const parts = url
    .slice(at + 1)
    .split('&')
    .map((part) => (maskedValue(part) === part ? part : `${part.split('=')[0]}=[masked]`));
  return `${url.slice(0, at)}?${parts.join('&')}`;
}

function requestOf(entry: RecordEntry, bodyOf: (body: RecordedText | null) => string | null): EvidenceRequest | null {
  if (entry.kind === 'MARK') return null;
  const body = bodyOf(entry.body);
  if (entry.kind === 'ATTEMPT') {
    return { method: 'POST', url: entry.url, status: entry.httpStatus, code: null, outcome: null, idempotencyKey: null, body };
  }
  const { method, status, code, response, idempotencyKey } = entry;
  const url = maskedUrl(entry.url);
  return { method, url, status, code, outcome: response?.outcome ?? null, idempotencyKey, body };
}
