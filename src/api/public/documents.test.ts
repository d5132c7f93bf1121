import { createHash, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Requirement } from '../../contract/public/accounts.js';
import { readSettings } from '../../server/options.js';
import { startServer } from '../../server/server.js';
import { useHarness } from '../../testing/harness.js';
import { call, tokenFor } from '../../testing/process.js';
import {
  companyRequest,
  createAccount,
  files,
  getAccount,
  individualRequest,
  uboRequest,
  upload,
  uploadForm,
} from '../../testing/onboarding.js';

const harness = useHarness();
const unknown = '00000000-0000-4000-8000-000000000000';

async function individual(name: string, scenario = 'manual') {
  const world = await harness.world(name, { scenario });
  const { id } = await createAccount(harness, world, individualRequest());
  const holder = { type: 'ACCOUNT', referenceId: id as string };
  const requirements = async (): Promise<Record<'currentlyDue' | 'pendingVerification' | 'errors' | 'satisfied', Requirement[]>> =>
    (await getAccount(harness, world, id)).requirements;
  return { world, id: id as string, holder, passport: { documentType: 'PASSPORT', holder, metadata: { country: 'BR' } }, requirements };
}

const errorsOf = (answer: { body: { details: { errors: { field: string; code: string }[] } } }) =>
  answer.body.details.errors.map((each) => [each.field, each.code]);

describe('an upload', () => {
  // §D7-file-types §D6-no-content
  it.each([
    ['pdf', 'application/pdf'],
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
  ] as const)('detects a %s by its content, and stores only the name, size, type and hash of the file', async (kind, mediaType) => {
    const { world, id, passport } = await individual(`type-${kind}`);
    const { status, body } = await upload(harness, world, passport, 'passport.txt', files[kind]);
    expect([status, body]).toEqual([204, null]);
    const list = await harness.control('GET', '/documents?filters=file.name[eq]=passport.txt', undefined, world);
    expect(list.body.data).toMatchObject([
      {
        accountId: id,
        documentType: 'PASSPORT',
        documentSubType: null,
        attempt: 1,
        file: { name: 'passport.txt', size: files[kind].length, mediaType },
      },
    ]);
    expect(list.body.data[0].file.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  /** Bytes as a PNG with a chunk that makes it an animation. */
  const animated = () => {
    const control = Buffer.from('0000000861635444000000010000000000000000', 'hex');
    const image = Buffer.from(files.png);
    return new Uint8Array(Buffer.concat([image.subarray(0, 33), control, image.subarray(33)]));
  };
  const after = (before: string) => new Uint8Array(Buffer.concat([Buffer.from(before, 'latin1'), files.pdf]));
  it.each<[string, () => Uint8Array<ArrayBuffer>, string | null]>([
    ['an animated PNG', animated, 'image/png'],
    ['a PDF after printer commands', () => after('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n'), 'application/pdf'],
    ['a PDF after a byte-order mark', () => after('\xef\xbb\xbf'), 'application/pdf'],
    ['a PDF after 1,019 bytes', () => after('\n'.repeat(1019)), 'application/pdf'],
    ['a PDF after 1,020 bytes', () => after('\n'.repeat(1020)), null],
  ])('accepts %s if readers open it', async (name, content, mediaType) => {
    const { world, id, passport } = await individual(`read-${name.replaceAll(/[^a-z0-9]/g, '-').toLowerCase()}`);
    const { status, body } = await upload(harness, world, passport, 'scan', content());
    expect([status, body?.code]).toEqual(mediaType === null ? [400, 'UNSUPPORTED_FILE_TYPE'] : [204, undefined]);
    const { body: list } = await harness.control('GET', `/documents?filters=accountId[eq]=${id}`, undefined, world);
    expect(list.data.map(({ file }: { file: { mediaType: string } }) => file.mediaType)).toEqual(mediaType === null ? [] : [mediaType]);
  });

  // §D7-multipart
  it.each([
    ['no part `body`', uploadForm(null), 'MISSING_MULTIPART_FIELD', { fieldName: 'body' }],
    ['no part `file`', uploadForm({}, null), 'MISSING_MULTIPART_FIELD', { fieldName: 'file' }],
    ['no parts', uploadForm(null, null), 'MISSING_MULTIPART_FIELD', { fieldName: 'body' }],
  ])('with %s is rejected', async (_what, body, code, details) => {
    const { status, body: refusal } = await harness.api('POST', '/api/documents', { body });
    expect([status, refusal.code, refusal.details]).toEqual([400, code, details]);
  });

  // §D7-file-types §D7-file-size §D13-file-checks
  it.each([
    ['an empty file', new Uint8Array(), 'EMPTY_FILE', { fileSizeBytes: 0 }],
    [
      'a file of more than 10,000,000 bytes',
      Buffer.concat([files.pdf, Buffer.alloc(10_000_000)]),
      'FILE_TOO_LARGE',
      { fileSizeBytes: files.pdf.length + 10_000_000, maxSizeBytes: 10_000_000 },
    ],
    ['a GIF file', files.gif, 'UNSUPPORTED_FILE_TYPE', { detected: 'image/gif' }],
    ['a text file', new TextEncoder().encode('%pdf is what I am not'), 'UNSUPPORTED_FILE_TYPE', { detected: null }],
  ])('with %s is rejected', async (_what, content, code, details) => {
    const { world, passport } = await individual(`file-${code.toLowerCase().replaceAll('_', '-')}-${content.length}`);
    const answer = await upload(harness, world, passport, 'scan.pdf', content);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.details).toMatchObject({ fieldName: 'file', fileName: 'scan.pdf', ...details });
    const both = await upload(harness, world, {}, 'scan.pdf', content);
    expect(both.body.code).toBe('INVALID_DATA');
  });

  // §D7-file-size
  it('accepts a file of exactly 10,000,000 bytes', async () => {
    const { world, passport } = await individual('file-largest');
    const content = Buffer.concat([files.pdf, Buffer.alloc(10_000_000 - files.pdf.length)]);
    expect((await upload(harness, world, passport, 'scan.pdf', content)).status).toBe(204);
  });

  // §D7-multipart-size
  it('is rejected if its body has more than 11,000,000 bytes, even without Content-Length', async () => {
    const { passport } = await individual('too-large');
    const answer = await upload(harness, 'too-large', passport, 'scan.pdf', Buffer.alloc(11_000_000));
    expect([answer.status, answer.body]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE', details: { maximumBytes: 11_000_000 } }]);
  });

  // §D7-multipart §D1-media-type
  it('must be well-formed multipart/form-data', async () => {
    const json = await harness.api('POST', '/api/documents', { body: {} });
    expect([json.status, json.body.code, json.body.details.supported]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', ['multipart/form-data']]);
    const bytes = (text: string) => new TextEncoder().encode(text);
    const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n{}\r\n`;
    for (const [type, body, field] of [
      ['multipart/form-data', bytes('--x--\r\n'), 'body'],
      ['multipart/form-data; boundary=x', bytes('no boundary in sight'), 'body'],
      [
        'multipart/form-data; boundary=x',
        bytes(`${part('body')}--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF`),
        'body',
      ],
      ['multipart/form-data; boundary=x', bytes(`${part('body')}${part('body')}--x--\r\n`), 'body:body'],
    ] as const) {
      const answer = await harness.api('POST', '/api/documents', { body, headers: { 'content-type': type } });
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([400, 'INVALID_DATA', field]);
    }
  });

  const head = (name: string, more = '') => `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const whole = (parts: string) => `${parts}--x--\r\n`;
  const real = `${head('body')}{}\r\n${head('file', '; filename="a.pdf"')}%PDF-1.7\r\n`;
  it.each([
    ['21 parts', whole(`${head('more')}\r\n`.repeat(19) + real), 'more than 20 parts'],
    ['1,200,000 empty parts', '--x\r\n\r\n'.repeat(1_200_000), 'more than 20 parts'],
    ['headers of more than 64 KiB', whole(head('more', `; filename="${'x'.repeat(66_000)}"`) + real), 'more than 65536 bytes of headers'],
    ['300,000 bytes before the first part', whole('x'.repeat(300_000) + real), 'more than 65536 bytes of headers'],
    ['300,000 bytes after the last part', whole(real) + 'x'.repeat(300_000), 'more than 65536 bytes of headers'],
    ['a part `body` of more than 64 KiB', whole(`${head('body')}${' '.repeat(66_000)}\r\n`), 'more than 65536 bytes'],
    ['fields of more than 64 KiB in total', whole(`${head('a')}${'x'.repeat(40_000)}\r\n`.repeat(2) + real), 'more than 65536 bytes'],
  ])('with %s is rejected as malformed multipart', async (_name, body, why) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const bytes = new TextEncoder().encode(body);
    const answer = await harness.api('POST', '/api/documents', { body: bytes, headers });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['body', 'MALFORMED_MULTIPART']]]);
    expect(answer.body.message).toContain(why);
  });

  it('can have 20 parts, of which 18 are ignored', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const body = new TextEncoder().encode(whole(`${head('more')}${'x'.repeat(3000)}\r\n`.repeat(18) + real));
    expect(errorsOf(await harness.api('POST', '/api/documents', { body, headers }))[0]).toEqual(['body:documentType', 'REQUIRED']);
  });

  it('accepts a PNG file with 100 kB of metadata before the image data', async () => {
    const { world, passport } = await individual('late-picture');
    const profile = Buffer.alloc(100_000 + 12);
    profile.writeUInt32BE(100_000);
    profile.write('iCCP', 4);
    const header = 8 + 25;
    const picture = Buffer.concat([files.png.subarray(0, header), profile, files.png.subarray(header)]);
    expect((await upload(harness, world, passport, 'scan.png', picture)).status).toBe(204);
    const { body } = await harness.control('GET', '/documents?filters=file.name[eq]=scan.png', undefined, world);
    expect(body.data[0].file).toEqual({
      name: 'scan.png',
      size: picture.length,
      mediaType: 'image/png',
      sha256: createHash('sha256').update(picture).digest('hex'),
    });
  });

  it('is rejected if its part `body` is not valid JSON', async () => {
    for (const text of ['', '{', '{"__proto__": 1}']) {
      const answer = await harness.api('POST', '/api/documents', { body: uploadForm(text) });
      expect(errorsOf(answer)).toEqual([['body', 'MALFORMED_JSON']]);
    }
    const form = new FormData();
    form.append('body', new Blob([new Uint8Array([0x22, 0xff, 0x22])]));
    form.append('file', new Blob([files.pdf]), 'a.pdf');
    expect(errorsOf(await harness.api('POST', '/api/documents', { body: form }))).toEqual([['body', 'MALFORMED_JSON']]);
  });

  // §D7-metadata §D7-two-sides
  it.each([
    [
      {},
      [
        ['body:documentType', 'REQUIRED'],
        ['body:holder', 'REQUIRED'],
      ],
    ],
    [
      { documentType: 'ID_CARD', metadata: {} },
      [
        ['body:documentSubType', 'REQUIRED'],
        ['body:metadata.country', 'REQUIRED'],
      ],
    ],
    [
      { documentType: 'DRIVER_LICENSE', documentSubType: 'LEFT', metadata: { country: 'XX' } },
      [
        ['body:documentSubType', 'INVALID_ENUM'],
        ['body:metadata.country', 'INVALID_ENUM'],
      ],
    ],
    [
      { documentType: 'PASSPORT', documentSubType: 'FRONT_SIDE', metadata: { country: 'BR' } },
      [['body:documentSubType', 'INVALID_FORMAT']],
    ],
    [{ documentType: 'PROOF_OF_ADDRESS' }, [['body:metadata.issuedAt', 'REQUIRED']]],
    [{ documentType: 'PROOF_OF_ADDRESS', metadata: { issuedAt: '2026-02-30' } }, [['body:metadata.issuedAt', 'INVALID_DATE']]],
    [{ documentType: 'OTHER' }, [['body:metadata.description', 'REQUIRED']]],
    [
      { documentType: 'AML_POLICY', metadata: { legalForm: 'GMBH', apostilled: 'perhaps' } },
      [
        ['body:metadata.legalForm', 'INVALID_ENUM'],
        ['body:metadata.apostilled', 'INVALID_TYPE'],
      ],
    ],
    [
      { documentType: 'AML_POLICY', holder: { type: 'COMPANY', referenceId: 'x' } },
      [
        ['body:holder.type', 'INVALID_ENUM'],
        ['body:holder.referenceId', 'INVALID_UUID'],
      ],
    ],
  ])('with the fields %j is rejected with the errors %j', async (body, expected) => {
    const complete = 'documentType' in body ? { holder: { type: 'ACCOUNT', referenceId: unknown }, ...body } : body;
    const answer = await upload(harness, 'default', complete);
    expect([answer.status, errorsOf(answer)]).toEqual([400, expected]);
  });

  it('requires a holder that exists in the world of the client', async () => {
    const { passport, world } = await individual('holder');
    for (const type of ['ACCOUNT', 'UBO']) {
      const answer = await upload(harness, world, { ...passport, holder: { type, referenceId: unknown } });
      expect([answer.status, answer.body.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    }
    expect((await upload(harness, 'default', passport)).status).toBe(404);
  });

  // §D7-not-required §2.4-documents-after
  it('is rejected if no requirement of its holder accepts the document', async () => {
    const { world, holder, passport } = await individual('not-required');
    const answer = await upload(harness, world, { documentType: 'AML_POLICY', holder });
    expect([answer.status, answer.body.code]).toEqual([422, 'DOCUMENT_NOT_REQUIRED']);
    expect(answer.body.details.accepted).toEqual(['ID_CARD', 'DRIVER_LICENSE', 'PASSPORT', 'RESIDENCE_PERMIT', 'PROOF_OF_ADDRESS']);
    expect((await upload(harness, world, passport)).status).toBe(204);
    expect((await upload(harness, world, passport)).body.code).toBe('DOCUMENT_NOT_REQUIRED');
    const { id } = await createAccount(harness, world, companyRequest());
    expect((await upload(harness, world, { ...passport, holder: { type: 'ACCOUNT', referenceId: id } })).body.code).toBe(
      'DOCUMENT_NOT_REQUIRED',
    );
    const ubo = await harness.api('POST', `/api/accounts/${id}/ubos`, { body: uboRequest() }, world);
    expect((await upload(harness, world, { ...passport, holder: { type: 'UBO', referenceId: ubo.body.id } })).status).toBe(204);
  });

  // §D7-segment-metadata §2.4-non-resident
  it('requires the metadata that the customer segment of the account defines', async () => {
    const world = await harness.world('segment-metadata');
    const { id } = await createAccount(harness, world, companyRequest({ taxId: { type: 'EIN', value: '12-3456789' } }));
    const body = { documentType: 'ARTICLES_OF_ASSOCIATION', holder: { type: 'ACCOUNT', referenceId: id } };
    const key = randomUUID();
    const send = (metadata: object) =>
      harness.api(
        'POST',
        '/api/documents',
        { key, body: uploadForm({ ...body, metadata }, { content: files.pdf, name: 'scan.pdf' }) },
        world,
      );
    const answer = await send({});
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [
        ['body:metadata.legalForm', 'REQUIRED'],
        ['body:metadata.apostilled', 'REQUIRED'],
      ],
    ]);
    // A request with errors does not use up its key.
    expect((await send({ legalForm: 'LLC', apostilled: 'false' })).status).toBe(204);
    await harness.control('POST', '/clock/advance', { by: '2s' }, world);
    const { requirements } = await getAccount(harness, world, id);
    expect(requirements.errors).toMatchObject([
      { metadata: { legalForm: 'LLC' }, reason: { details: { cause: 'WRONG_DOCUMENT', apostilled: false } } },
    ]);
  });

  // §D3-upload
  it('runs once for each idempotency key; other fields, file name or content with this key are rejected', async () => {
    const { world, passport } = await individual('idempotency');
    const key = randomUUID();
    const send = (body: unknown, name: string, content: Uint8Array) =>
      harness.api('POST', '/api/documents', { key, body: uploadForm(body, { name, content }) }, world);
    const answers = [
      await send(passport, 'a.pdf', files.pdf),
      await send(passport, 'a.pdf', files.pdf),
      await send({ metadata: passport.metadata, holder: passport.holder, documentType: 'PASSPORT' }, 'a.pdf', files.pdf),
      await send(passport, 'b.pdf', files.pdf),
      await send(passport, 'a.pdf', files.png),
      await send({ ...passport, metadata: { country: 'PT' } }, 'a.pdf', files.pdf),
    ];
    expect(answers.map((each) => [each.status, each.headers.get('x-idempotent-replay')])).toEqual([
      [204, null],
      [204, 'true'],
      [204, 'true'],
      [409, null],
      [409, null],
      [409, null],
    ]);
    expect((await harness.control('GET', '/documents?filters=file.name[eq]=a.pdf', undefined, world)).body.data).toHaveLength(1);
  });
});

describe('an upload over a real socket', () => {
  it('is accepted with and without Content-Length, is rejected if too large, and logs no error if the client disconnects', async () => {
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
    const server = await startServer(readSettings(['--port', '0', '--data', 'memory'], {}), { log });
    try {
      const token = await tokenFor(server.url);
      const headers = () => ({ authorization: `Bearer ${token}`, 'x-idempotency-key': randomUUID() });
      const { id } = (await call(server.url, 'POST', '/api/accounts', { body: individualRequest(), headers: headers() })).body;
      const holder = { type: 'ACCOUNT', referenceId: id };
      const chunked = async (body: unknown, content: Uint8Array, signal?: AbortSignal) => {
        const { headers: own, body: stream } = new Response(uploadForm(body, { content, name: 'scan.pdf' }));
        const init = {
          method: 'POST',
          headers: { ...headers(), 'content-type': own.get('content-type')! },
          body: stream,
          duplex: 'half',
          ...(signal ? { signal } : {}),
        };
        return fetch(`${server.url}/api/documents`, init as RequestInit);
      };
      const passport = { documentType: 'PASSPORT', holder, metadata: { country: 'BR' } };
      expect((await chunked(passport, files.pdf)).status).toBe(204);
      const proof = { documentType: 'PROOF_OF_ADDRESS', holder, metadata: { issuedAt: new Date().toISOString().slice(0, 10) } };
      const body = uploadForm(proof, { content: files.png, name: 'scan.png' });
      expect((await fetch(`${server.url}/api/documents`, { method: 'POST', headers: headers(), body })).status).toBe(204);
      const refused = await chunked(passport, Buffer.alloc(11_000_000)).then(
        (answer) => answer.status,
        () => 413, // A client that is still writing may see only the closed connection.
      );
      expect(refused).toBe(413);
      const gone = new AbortController();
      const lost = chunked(passport, Buffer.alloc(5_000_000), gone.signal);
      gone.abort();
      await expect(lost).rejects.toThrow('abort');
      expect((await call(server.url, 'GET', '/_sandbox/health/ready')).status).toBe(200);
    } finally {
      await server.close();
    }
    expect(logged).toEqual([]);
  });
});

describe('an identity document', () => {
  const side = (holder: unknown, documentSubType: string, documentType = 'ID_CARD') => ({
    documentType,
    documentSubType,
    holder,
    metadata: { country: 'BR' },
  });

  // §D7-two-sides
  it('with two sides: after one side, the requirement group requires the other side of this document', async () => {
    const { world, holder, requirements } = await individual('sides');
    await upload(harness, world, side(holder, 'BACK_SIDE'));
    const { currentlyDue, pendingVerification } = await requirements();
    const shared = {
      type: 'DOCUMENT',
      documentType: 'ID_CARD',
      group: 'IDENTITY_VERIFICATION',
      options: null,
      requiredMetadata: ['country'],
    };
    expect(pendingVerification).toMatchObject([{ ...shared, documentSubType: 'BACK_SIDE', metadata: { country: 'BR' } }]);
    expect(currentlyDue).toMatchObject([
      { ...shared, documentSubType: 'FRONT_SIDE', metadata: null },
      { documentType: 'PROOF_OF_ADDRESS' },
    ]);
    for (const wrong of [
      side(holder, 'BACK_SIDE'),
      side(holder, 'FRONT_SIDE', 'DRIVER_LICENSE'),
      { documentType: 'PASSPORT', holder, metadata: { country: 'BR' } },
    ]) {
      expect((await upload(harness, world, wrong)).body.code).toBe('DOCUMENT_NOT_REQUIRED');
    }
    expect((await upload(harness, world, side(holder, 'FRONT_SIDE'))).status).toBe(204);
  });

  // §D7-restored-group
  it('with two sides: when one side is rejected, the requirement group accepts all its options again', async () => {
    const { world, id, holder, passport, requirements } = await individual('restored', 'default');
    await upload(harness, world, side(holder, 'FRONT_SIDE'));
    await harness.control('POST', '/clock/advance', { by: '2s' }, world);
    expect((await requirements()).satisfied).toHaveLength(1);
    await upload(harness, world, side(holder, 'BACK_SIDE'), 'illegible.pdf');
    await harness.control('POST', '/clock/advance', { by: '2s' }, world);
    const { currentlyDue, satisfied, errors } = await requirements();
    expect([satisfied, errors]).toEqual([[], []]);
    expect(currentlyDue).toMatchObject([
      {
        type: 'DOCUMENT_GROUP',
        documentType: null,
        documentSubType: null,
        reason: { code: 'DOCUMENT_REJECTED', details: { cause: 'ILLEGIBLE' } },
      },
      { documentType: 'PROOF_OF_ADDRESS' },
    ]);
    const list = await harness.control('GET', `/documents?sortOrder=ASCENDING&filters=accountId[eq]=${id}`, undefined, world);
    expect(list.body.data.map((each: { currentState: { status: string } }) => each.currentState.status)).toEqual([
      'SUPERSEDED',
      'REJECTED',
    ]);
    expect((await upload(harness, world, passport)).status).toBe(204);
    expect((await requirements()).pendingVerification).toMatchObject([{ documentType: 'PASSPORT', reason: null }]);
  });
});

// §2.4-proof-of-address
describe('a proof of address', () => {
  it.each([
    ['2026-08-23', 'satisfied'],
    ['2026-08-22', 'errors'],
  ] as const)('issued on %s is listed in `%s` after its review on 21 November 2026', async (issuedAt, bucket) => {
    const { world, holder, requirements } = await individual(`proof-${issuedAt}`, 'default');
    await upload(harness, world, { documentType: 'PROOF_OF_ADDRESS', holder, metadata: { issuedAt } });
    await harness.control('POST', '/clock/advance', { by: '2s' }, world);
    const found = (await requirements())[bucket];
    expect(found).toMatchObject([{ documentType: 'PROOF_OF_ADDRESS', metadata: { issuedAt } }]);
    expect(found[0]?.reason?.details['cause'] ?? null).toBe(bucket === 'errors' ? 'EXPIRED' : null);
  });
});
