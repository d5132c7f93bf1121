import type { ReplayCall } from '../../contract/control/analysis/replay.js';
import { isReadMethod } from '../../api/plane/guard.js';

/** The request of a step, and the recorded hash of its uploaded file, which replaces the hash of the placeholder content. */
export interface StepRequest {
  readonly request: Request;
  readonly fileSha256: string | undefined;
}

/** First bytes of a file by media type, in hex. The sandbox detects the type by these bytes. */
const beginnings: Readonly<Record<string, string>> = {
  'application/pdf': '255044462d312e370a',
  'image/jpeg': 'ffd8ffe000104a46494600',
  'image/png': '89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c489 0000000049444154'.replaceAll(' ', ''),
};

/** Maximum number of placeholder bytes for a body or file whose content was not recorded. */
const maxFiller = 64 * 1024 * 1024;

const boundary = 'replayed-part-of-the-request';

/**
 * Returns the request that replays a step.
 * @param token access token to send; null to send the recorded Authorization header
 * @param secret client secret of the world, for a recorded token request with the correct secret
 */
export function requestOf(step: ReplayCall, place: { base: string; world: string; token: string | null; secret: string }): StepRequest {
  const { method, url, version, operationId, response, body } = step;
  const headers = new Headers();
  for (const [name, value] of Object.entries(step.headers)) headers.set(name, value.replaceAll(/[^\t -~\u00a0-\u00ff]/g, '?'));
  if (step.kind === 'CONTROL') {
    headers.delete('authorization');
    headers.set('x-sandbox-world', place.world);
  } else if (version !== null && !headers.has('x-service-version')) headers.set('x-service-version', version);
  if (place.token !== null) headers.set('authorization', `Bearer ${place.token}`);
  let content: string | Buffer<ArrayBuffer> | null = null;
  if (body?.file) {
    headers.set('content-type', `multipart/form-data; boundary=${boundary}`);
    content = multipart(body.text, body.file);
  } else if (body && body.text === '' && body.bytes > 0) content = 'x'.repeat(Math.min(body.bytes, maxFiller));
  else if (body)
    content =
      operationId === 'createToken' && response.code !== 'INVALID_CREDENTIALS' ? body.text.replaceAll('[secret]', place.secret) : body.text;
  if (content !== null) headers.set('content-length', String(Buffer.byteLength(content)));
  const hasBody = content !== null && !isReadMethod(method);
  return {
    request: new Request(place.base + url, { method, headers, ...(hasBody ? { body: content } : {}) }),
    fileSha256: body?.file?.sha256,
  };
}

/** Returns the body of an upload with a placeholder file that has the recorded name, size and type. */
function multipart(text: string, { name, size, type }: NonNullable<NonNullable<ReplayCall['body']>['file']>): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(Math.min(size, maxFiller));
  Buffer.from(beginnings[type ?? ''] ?? '', 'hex').copy(file);
  const part = (head: string, content: string | Buffer) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const shown = name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ');
  return Buffer.concat([
    ...part('Content-Disposition: form-data; name="body"\r\nContent-Type: application/json', text),
    ...part(
      `Content-Disposition: form-data; name="file"; filename="${shown}"\r\nContent-Type: ${type ?? 'application/octet-stream'}`,
      file,
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}
