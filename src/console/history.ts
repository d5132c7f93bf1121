import type { RecordEntry } from '../contract/control/record.js';
import { get } from './api.js';
import type { Item } from './item.js';

function itemOf(entry: RecordEntry): Item {
  const { id, durationMs: ms } = entry;
  const common = { id, at: entry.at ?? entry.startedAt, realAt: entry.startedAt, ms, resource: null, resourceId: null };
  if (entry.kind === 'MARK') return { ...common, kind: 'MARK', summary: entry.what, status: null, causeId: null };
  if (entry.kind === 'ATTEMPT') {
    const { eventType, url, which, number, resourceId, causeId } = entry;
    const again = which === 'FIRST' ? '' : ` (${which.toLowerCase()}, attempt ${number})`;
    return { ...common, kind: 'ATTEMPT', summary: `${eventType} to ${url}${again}`, status: String(entry.httpStatus), resourceId, causeId };
  }
  const { kind, method, path, status, code, answer, caused } = entry;
  const notes = [code, answer?.replay ? 'replay' : null, answer && answer.fate !== 'INTACT' ? answer.fate : null].filter(Boolean);
  const { resource = null, id: resourceId = null } = caused[0] ?? {};
  return {
    ...common,
    kind,
    summary: `${method} ${path}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
    status: status === null ? null : String(status),
    resource,
    resourceId,
    causeId: null,
  };
}

/** What the record still has of the world that is open, oldest first. */
export async function history(signal: AbortSignal): Promise<Item[]> {
  const { data } = await get<{ data: RecordEntry[] }>('/requests?kind=REQUEST,CONTROL,ATTEMPT,MARK&limit=100', signal);
  return data.map(itemOf).toReversed();
}
