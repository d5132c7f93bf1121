import { describe, expect, it } from 'vitest';
import { maxRecordBytes, maxRows } from '../../contract/control/analysis/reconcile.js';
import { useHarness } from '../../testing/harness.js';
import { longestTurnDuring } from '../../testing/turns.js';
import { reconcileScene, resultOf, type Row } from '../../testing/reconcile.js';

const harness = useHarness();
const csvType = { 'content-type': 'text/csv; charset=utf-8' };

/** Returns a table as a spreadsheet exports it. */
const spreadsheet = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n\r\n`;

/** Returns the error items of a rejected request. */
async function errorsOf(
  answer: Promise<{ status: number; body: { message: string; details: { errors?: { field: string; message: string }[] } } }>,
) {
  const { status, body } = await answer;
  return {
    status,
    message: body.message,
    fields: (body.details.errors ?? []).map(({ field }) => field),
    messages: (body.details.errors ?? []).map(({ message }) => message),
  };
}

describe('a CSV body of a reconciliation', () => {
  it('with mapped columns gives the same result as a JSON body', async () => {
    const { send, reconcile, payOut, advance, transfer } = await reconcileScene(harness);
    const { id } = await payOut();
    const second = await transfer();
    await advance();
    const rows = [
      ['pay, "first"', id, 'sent', '27.903399', 'USDT'],
      ['pay_2', second.id, 'paid', '25.01', 'BRL'],
    ];
    const statuses = { paid: ['COMPLETED'], sent: ['REQUESTED'] };
    const operations = rows.map(([ref, each, status, value, asset]): Row => ({ ref, id: each, status, source: { value, asset } }));
    const json = await reconcile({ operations, statuses, complete: ['operations'] });
    const table = [
      ['Reference', 'provider_ref', 'Booked by', 'status', 'amt', 'source.asset'],
      ...rows.map(([ref, each, ...rest]) => [ref!, each!, 'Ana', ...rest]),
    ];
    const query = new URLSearchParams({
      section: 'operations',
      map: 'Reference:ref,provider_ref:id,amt:source.value',
      complete: 'operations',
      statuses: JSON.stringify(statuses),
    });
    const csv = resultOf(await send(spreadsheet(table), csvType, `?${query.toString()}`));
    expect(csv).toEqual({ ...json, ignoredColumns: ['Booked by'] });
    expect(json).toMatchObject({ verdict: 'DIFFERENT', matched: 0 });
    expect(json.differences.map(({ kind, ref }) => `${kind} ${ref}`)).toEqual(['WRONG_AMOUNT pay_2', 'WRONG_STATUS pay, "first"']);
  });

  it.each([';', '\t'])('may separate columns with %j', async (sign) => {
    const { send, accountId, records } = await reconcileScene(harness);
    const { balances } = records();
    const lines = [['account', 'asset', 'value'], ...balances.map(({ account, asset, value }) => [account, asset, value])];
    const result = resultOf(await send(lines.map((each) => each.join(sign)).join('\n'), csvType, '?section=balances'));
    expect(result).toMatchObject({ verdict: 'AGREED', matched: balances.length });
    expect(balances.some(({ account }) => account === accountId)).toBe(true);
  });

  it.each(['sep=;', 'SEP=|', '\ufeffsep=\t', '"sep=,"'])('may begin with a line that names the separator: %j', async (first) => {
    const { send, records } = await reconcileScene(harness);
    const { balances } = records();
    const lines = [['account', 'asset', 'value'], ...balances.map(({ account, asset, value }) => [account, asset, value])];
    const sign = first.replaceAll('"', '').at(-1)!;
    for (const end of ['\r\n', '\n', '\r']) {
      const text = [first, ...lines.map((each) => each.join(sign))].join(end);
      expect(resultOf(await send(text, csvType, '?section=balances'))).toMatchObject({ verdict: 'AGREED', matched: balances.length });
    }
  });

  it('with tabs has no quotes: escapes are read, and \\N and NULL are no value', async () => {
    const { send, payOut, advance } = await reconcileScene(harness);
    const { id } = await payOut();
    await advance();
    const rows = [
      ['ref', 'note', 'id', 'uetr', 'status', 'source.value', 'source.asset', 'account'],
      ['5" disk', String.raw`a\tb\nc\\N`, id, String.raw`\N`, 'COMPLETED', '27.903399', 'USDT', 'NULL'],
      [String.raw`say \"hi\\N\"`, '"open', id, 'NULL', 'FAILED', String.raw`\N`, String.raw`\N`, ' '],
    ];
    const result = resultOf(await send(rows.map((each) => each.join('\t')).join('\n'), csvType, '?section=operations'));
    expect(result).toMatchObject({ matched: 1, ignoredColumns: ['note'] });
    expect(result.differences.map(({ ref }) => ref)).toContain(String.raw`say "hi\N"`);
  });

  it.each([
    ['UTF-16 with a mark', Buffer.from('\ufeffid,ref\na,b\n', 'utf16le')],
    ['UTF-16 without one', Buffer.from('id,ref\na,b\n', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\ufeffid,ref\na,b\n', 'utf16le').swap16()],
  ])('in %s is rejected with the remedy', async (_name, bytes) => {
    const { send } = await reconcileScene(harness);
    expect(await errorsOf(send(bytes, csvType, '?section=operations'))).toMatchObject({
      status: 400,
      message: 'The file is UTF-16. Save it as UTF-8.',
    });
  });

  const head = 'id,status,source.value,source.asset\n';
  it.each([
    [
      'a wrong amount',
      `${head}a,COMPLETED,1.00,BRL\nb,COMPLETED,"1,50",BRL\n`,
      '',
      ['line 3, column 3 "source.value": expected a decimal number as a string, such as "1500.00"; got "1,50". Send "1.50".'],
    ],
    [
      'amounts with separated thousands',
      `${head}a,COMPLETED,"1.234,56",BRL\nb,COMPLETED,"1,234.56",BRL\nc,COMPLETED,"1,234",BRL\nd,COMPLETED,"\u00a01 234,5",BRL\ne,COMPLETED,"1,2,3",BRL\n`,
      '',
      [
        expect.stringMatching(/ Send "1234\.56"\.$/) as string,
        expect.stringMatching(/ Send "1234\.56"\.$/) as string,
        expect.stringMatching(/ Send "1\.234", or "1234" if the comma separates thousands\.$/) as string,
        expect.stringMatching(/ Send "1234\.5"\.$/) as string,
        expect.stringMatching(/got "1,2,3"\.$/) as string,
      ],
    ],
    [
      'a missing column after a line with the separator',
      `sep=;\r\n${head.replaceAll(',', ';')}a;COMPLETED\n`,
      '',
      [expect.stringMatching(/^line 3: expected as many columns/) as string],
    ],
    [
      'too many tabs',
      `${head.replaceAll(',', '\t')}a\tb\tCOMPLETED\t1.00\tBRL\n`,
      '',
      [expect.stringContaining(String.raw`Write a tab in a value as \t.`) as string],
    ],
    [
      'an unknown status',
      `${head}a,paid,1.00,BRL\n`,
      '',
      [
        'operations[0].status: expected REQUESTED, PROCESSING, ON_HOLD, ACTION_REQUIRED, COMPLETED, FAILED; got "paid". Add the word to `statuses`, for example {"paid": ["COMPLETED"]}.',
      ],
    ],
    [
      'a missing column',
      `${head}a,COMPLETED,1.00\n`,
      '',
      ['line 2: expected as many columns as the first line has; got 3. Put a value with a comma in double quotes.'],
    ],
    [
      'an unclosed double quote',
      `${head}"a,COMPLETED,1.00,BRL\n`,
      '',
      ['line 2: expected a closing double quote; the file ends before it.'],
    ],
    [
      'an unescaped double quote in a value',
      `${head}a"b,COMPLETED,1.00,BRL\n`,
      '',
      ['line 2: expected double quotes only around a whole value. Write a double quote inside a value twice.'],
    ],
    ['no known column', 'x,y\n1,2\n', '', [expect.stringContaining('line 1: expected columns named ref, id, idempotencyKey') as string]],
    ['an empty file', '', '', ['The body: expected a first line with the names of the columns; it is empty.']],
    [
      'an unknown mapped column',
      head,
      '&map=ref2:id',
      ['map: expected columns of the first line (id, status, source.value, source.asset); got "ref2".'],
    ],
    ['an unknown field in the mapping', head, '&map=id:ids', [expect.stringContaining('got "ids"; did you mean id?') as string]],
    ['a mapping without a field', head, '&map=id', ['map: expected pairs such as provider_ref:id, separated by commas; got "id".']],
    ['far too many columns', `${head}${','.repeat(3000)}`, '', ['line 2: expected at most 200 columns; got more.']],
    ['two columns for one field', head, '&map=status:id,id:id', ['line 1: expected one column for id; got several.']],
    [
      '`complete` with a section other than that of the rows',
      head,
      '&complete=entries',
      ['complete: expected operations, the section of the rows; got entries.'],
    ],
    ['`statuses` that are not JSON', head, '&statuses=paid', ['statuses: expected JSON such as {"paid":["COMPLETED"]}; got "paid".']],
    [
      'a row without amount and id',
      `${head},COMPLETED,,\n`,
      '',
      [expect.stringContaining('line 2, column 1 "id": expected at least one of id,') as string],
    ],
  ])('with %s is rejected, and the error names the position', async (_name, text, query, messages) => {
    const { send } = await reconcileScene(harness);
    const errors = await errorsOf(send(text, csvType, `?section=operations${query}`));
    expect(errors).toMatchObject({ status: 400, messages });
  });

  it('that is not UTF-8 is rejected', async () => {
    const { send } = await reconcileScene(harness);
    const bytes = Buffer.from(`id,ref\na,S\u00e3o Paulo\n`, 'latin1');
    expect(await errorsOf(send(bytes, csvType, '?section=operations'))).toMatchObject({
      status: 400,
      message: 'The body: expected UTF-8; its bytes are not UTF-8. Export the file as "CSV UTF-8".',
    });
  });

  it('is not accepted by other control requests', async () => {
    const { world } = await reconcileScene(harness);
    const answer = await harness.control('POST', '/clock/advance', 'by\nPT1S\n', world, csvType);
    expect(answer).toMatchObject({ status: 415, body: { details: { supported: ['application/json'] } } });
    const text = await harness.control('POST', '/reconcile', '{}', world, { 'content-type': 'text/plain' });
    expect(text).toMatchObject({ status: 415, body: { details: { supported: ['application/json', 'text/csv'] } } });
  });
});

describe('a JSON body of a reconciliation', () => {
  it.each([
    [
      'a number as an amount',
      { operations: [{ id: 'a' }, { id: 'b', source: { value: 27.9, asset: 'USDT' } }] },
      'body:operations[1].source.value',
      'operations[1].source.value: expected a decimal number as a string, such as "1500.00"; got the number 27.9.',
    ],
    [
      'an unknown field',
      { balances: [{ account: 'a', asset: 'BRL', value: '1', amount: '1' }] },
      'body:balances[0].amount',
      expect.stringContaining('balances[0].amount: expected no such field'),
    ],
    ['no section', { complete: ['operations'] }, 'body', 'The body: expected at least one of operations, entries and balances.'],
    ['an unknown section', { operation: [] }, 'body:operation', expect.stringContaining('operation: expected no such field')],
    ['a section that is not a list', { operations: {} }, 'body:operations', expect.stringContaining('operations: expected a list')],
    [
      'two balances of one account and asset',
      {
        balances: [
          { account: 'a', asset: 'BRL', value: '1' },
          { account: 'a', asset: 'BRL', value: '2' },
        ],
      },
      'body:balances[1]',
      expect.stringContaining('balances[0] has the same'),
    ],
    [
      'a tolerance below zero',
      { operations: [], tolerance: { BRL: '-1' } },
      'body:tolerance.BRL',
      expect.stringContaining('expected a decimal number of zero or more'),
    ],
    [
      'a tolerance for an unknown asset',
      { operations: [], tolerance: { XXX: '1' } },
      'body:tolerance.XXX',
      expect.stringContaining('expected an asset: USD'),
    ],
    [
      'an unknown status of the API',
      { operations: [], statuses: { paid: ['PAID'] } },
      'body:statuses.paid[0]',
      expect.stringContaining('expected one of'),
    ],
  ])('with %s is rejected, and the error names the field', async (_name, body, field, message) => {
    const { send } = await reconcileScene(harness);
    const errors = await errorsOf(send(body));
    expect(errors).toMatchObject({ status: 400, fields: [field], messages: [message] });
  });

  it('is rejected with query parameters that are only for CSV', async () => {
    const { send } = await reconcileScene(harness);
    expect(await errorsOf(send({ operations: [] }, {}, '?section=operations'))).toMatchObject({ status: 400, fields: ['query:section'] });
  });

  it('can set a tolerance within which amounts agree', async () => {
    const { transfer, advance, reconcile } = await reconcileScene(harness);
    const { id } = await transfer();
    await advance();
    const operations = [{ id, source: { value: '25.01', asset: 'BRL', decimals: 2 } }];
    expect((await reconcile({ operations, tolerance: { BRL: '0.01' } })).verdict).toBe('AGREED');
    expect((await reconcile({ operations, tolerance: { BRL: '0.00', USD: '1' } })).verdict).toBe('DIFFERENT');
  });
});

describe('the limits of a reconciliation', () => {
  const rows = (count: number, row: (index: number) => Row) => Array.from({ length: count }, (_each, index) => row(index));

  it('reject row 10,001 of all sections together, in both formats', async () => {
    const { send } = await reconcileScene(harness);
    const row = (index: number) => ({ id: `op ${index}`, status: 'COMPLETED' });
    const message = `entries[1]: expected at most ${maxRows} rows in all sections together. Send the rest in another request.`;
    const entry = { operation: 'x', account: 'a', asset: 'BRL', value: '1' };
    expect(await errorsOf(send({ operations: rows(maxRows - 1, row), entries: [entry, entry] }))).toMatchObject({
      status: 400,
      message,
      fields: ['body:entries[1]'],
    });
    const csv = `id\n${rows(maxRows + 1, row)
      .map(({ id }) => id)
      .join('\n')}\n`;
    expect(await errorsOf(send(csv, csvType, '?section=operations'))).toMatchObject({
      status: 400,
      fields: [`body:operations[${maxRows}]`],
    });
  });

  it('reject more than 5 MiB', async () => {
    const { send } = await reconcileScene(harness);
    const body = JSON.stringify({ operations: [{ id: 'x'.repeat(maxRecordBytes) }] });
    expect(await errorsOf(send(body))).toMatchObject({ status: 413 });
  });

  it('stop reading after 20 invalid rows', async () => {
    const { send } = await reconcileScene(harness);
    const { status, body } = await send({ operations: rows(10_000, () => ({ id: 7 })) });
    expect({ status, message: body.message as string }).toEqual({ status: 400, message: '20 fields of the request are invalid.' });
  });

  it('allow 10,000 rows, which take less than a second of CPU time, in slices of less than 50 ms', async () => {
    const { send, records, accountId, payOut, advance } = await reconcileScene(harness);
    await payOut();
    await advance();
    const { balances } = records();
    const operations = rows(5000, (index) => ({
      ref: `pay ${index}`,
      id: crypto.randomUUID(),
      status: 'COMPLETED',
      source: { value: `${index}.00`, asset: 'BRL' },
    }));
    const entries = rows(4900, (index) => ({ account: accountId, asset: 'BRL', value: `-${index}.00`, at: '2026-11-21T12:00:00Z' }));
    // Measures CPU time, because other processes share the processor, and takes the best of three runs, because of garbage collection.
    const runs: { longestMs: number; tookMs: number; answer: Awaited<ReturnType<typeof send>> }[] = [];
    for (let run = 0; run < 3; run += 1) {
      const began = process.cpuUsage();
      const { longestMs, value: answer } = await longestTurnDuring(
        send({ operations, entries, balances, complete: ['operations', 'entries'] }),
      );
      const { user, system } = process.cpuUsage(began);
      runs.push({ longestMs, tookMs: (user + system) / 1000, answer });
    }
    const answer = runs[0]!.answer;
    const result = resultOf(answer);
    const csv = `id,status\n${operations.map(({ id }) => `${id as string},COMPLETED`).join('\n')}`;
    expect(resultOf(await send(csv, csvType, '?section=operations')).omitted).toBe(4000);
    expect(result.differences).toHaveLength(1000);
    expect(result.omitted).toBe(5000 + 4900 + 2 - 1000);
    expect(Math.min(...runs.map(({ tookMs }) => tookMs))).toBeLessThan(1000);
    expect(Math.min(...runs.map(({ longestMs }) => longestMs))).toBeLessThan(50);
  });
});
