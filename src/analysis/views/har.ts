import { STATUS_CODES } from 'node:http';
import type { HarEntry } from '../../contract/control/analysis/har.js';
import type { RecordedAttempt, RecordedCall, RecordedText, RecordEntry } from '../../contract/control/analysis/record.js';
import { maskedJson, maskedValue } from './personal.js';

const notJson = 'Omitted: the body is not complete JSON, so personal data cannot be removed.';

const httpVersion = 'HTTP/1.1';

/**
 * Returns the pieces of an HTTP archive with the requests and attempts that pass a filter, without secrets and personal data.
 * @param origin origin of the sandbox, for the URLs of requests
 */
export function* harPieces(entries: Iterable<RecordEntry>, passes: (entry: RecordEntry) => boolean, origin: string): Generator<string> {
  yield `{"log":{"version":"1.2","creator":{"name":"crossborder-sandbox","version":"1"},"entries":[`;
  let mark = '';
  for (const entry of entries) {
    if (entry.kind === 'MARK' || !passes(entry)) {
      yield '';
      continue;
    }
    yield mark + JSON.stringify(entry.kind === 'ATTEMPT' ? harOfAttempt(entry) : harOfCall(entry, origin));
    mark = ',';
  }
  yield ']}}';
}

const pairsOf = (headers: Readonly<Record<string, string>>) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** Returns an archive entry with the fields that requests and attempts share. */
function harEntry(
  startedAt: string,
  durationMs: number | null,
  rest: Pick<HarEntry, 'request' | 'response' | 'connection' | 'comment'>,
): HarEntry {
  const time = durationMs ?? 0;
  return { startedDateTime: startedAt, time, ...rest, cache: {}, timings: { send: 0, wait: time, receive: 0 } };
}

function contentOf(body: RecordedText | null, mimeType: string): HarEntry['response']['content'] {
  if (!body || body.text === '') return { size: body?.bytes ?? 0, mimeType };
  const text = body.truncated ? null : maskedJson(body.text);
  return text === null ? { size: body.bytes, mimeType, comment: notJson } : { size: body.bytes, mimeType, text };
}

function postDataOf(body: RecordedText | null, mimeType: string): Pick<HarEntry['request'], 'postData'> {
  if (!body) return {};
  const { text = '', comment } = contentOf(body, mimeType);
  return { postData: { mimeType, text, ...(comment === undefined ? {} : { comment }) } };
}

/** Returns the parameters of a query with personal data masked. */
function queryOf(query: RecordedCall['query']): { name: string; value: string }[] {
  return Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value: maskedValue(value) })));
}

function harOfCall(call: RecordedCall, origin: string): HarEntry {
  const { headers, body, response, method, path, status } = call;
  const query = queryOf(call.query);
  const search = new URLSearchParams(query.map(({ name, value }): [string, string] => [name, value])).toString();
  const isTold = response !== null && response.outcome !== 'CLIENT_DISCONNECTED';
  return harEntry(call.startedAt, call.durationMs, {
    request: {
      method,
      url: `${origin}${path}${search === '' ? '' : `?${search}`}`,
      httpVersion,
      cookies: [],
      headers: pairsOf(headers),
      queryString: query,
      ...postDataOf(body, body?.mediaType ?? ''),
      headersSize: -1,
      bodySize: body?.bytes ?? 0,
    },
    response: {
      status: isTold ? (status ?? 0) : 0,
      statusText: STATUS_CODES[status ?? 0] ?? '',
      httpVersion,
      cookies: [],
      headers: pairsOf(response?.headers ?? {}),
      content: contentOf(response?.body ?? null, response?.headers['content-type'] ?? 'x-unknown'),
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.body?.bytes ?? 0,
      ...(response && response.outcome !== 'DELIVERED' ? { comment: response.outcome } : {}),
    },
    ...(call.connection === null ? {} : { connection: String(call.connection) }),
    comment: call.id,
  });
}

function harOfAttempt(attempt: RecordedAttempt): HarEntry {
  const { headers, body, response, httpStatus, error, location } = attempt;
  const query = URL.canParse(attempt.url) ? [...new URL(attempt.url).searchParams] : [];
  return harEntry(attempt.startedAt, attempt.durationMs, {
    request: {
      method: 'POST',
      url: attempt.url,
      httpVersion,
      cookies: [],
      headers: pairsOf(headers),
      queryString: query.map(([name, value]) => ({ name, value })),
      ...postDataOf(body, 'application/json'),
      headersSize: -1,
      bodySize: body.bytes,
    },
    response: {
      status: httpStatus,
      statusText: STATUS_CODES[httpStatus] ?? '',
      httpVersion,
      cookies: [],
      headers: [],
      content: contentOf(response, 'x-unknown'),
      redirectURL: location ?? '',
      headersSize: -1,
      bodySize: response?.bytes ?? -1,
      ...(error === null ? {} : { comment: error }),
    },
    comment: attempt.id,
  });
}
