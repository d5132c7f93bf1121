import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { openLog, limitRepeats } from './log.js';

/** Creates a stream whose writes are paused until the test calls `goOn`. @param error the error with which all writes then fail */
function heldStream(error?: Error) {
  const read: string[] = [];
  let release: (() => void) | undefined;
  let isHeld = true;
  const stream = new Writable({
    decodeStrings: false,
    emitClose: false,
    autoDestroy: false,
    write(text: string, _encoding, done) {
      read.push(text);
      if (isHeld) release = () => done(error);
      else done(error);
    },
  });
  const goOn = () => {
    isHeld = false;
    release?.();
  };
  const lines = () =>
    read
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { level: string; what: string });
  return { stream, goOn, lines };
}

it('the log drops lines that are not read, and later says how many are missing', async () => {
  const { stream, goOn, lines } = heldStream();
  const { log, close } = openLog('info', stream);
  const text = 'x'.repeat(1000);
  const count = 5000;
  for (let index = 0; index < count; index += 1) log.info(`${index} ${text}`);
  expect(stream.writableLength).toBeLessThan(1.1 * 1024 * 1024);
  goOn();
  await expect.poll(() => stream.writableLength).toBe(0);
  log.info('read again');
  await close();

  const shown = lines();
  const kept = shown.length - 2;
  expect(kept).toBeGreaterThan(900);
  expect(shown.slice(0, kept).map(({ what }) => what)).toEqual(Array.from({ length: kept }, (_, index) => `${index} ${text}`));
  expect(shown.slice(kept)).toMatchObject([
    { level: 'warn', what: `${count - kept} log lines are missing here: they were not read in time.` },
    { level: 'info', what: 'read again' },
  ]);
});

it('the log closes even if no one reads it', async () => {
  const { stream } = heldStream();
  const { log, close } = openLog('info', stream);
  log.info('not read');
  await close();
  expect(stream.writableLength).toBeGreaterThan(0);
});

it('the log continues if it cannot be written', async () => {
  const { stream, goOn, lines } = heldStream(new Error('ENOSPC: no space left on device, write'));
  goOn();
  const { log, close } = openLog('info', stream);
  log.warn('lost');
  await close();
  expect(lines()).toMatchObject([{ what: 'lost' }]);
});

it('the log adds only one listener to a stream, even if several sandboxes use this stream', async () => {
  const { stream, goOn } = heldStream();
  goOn();
  for (let index = 0; index < 20; index += 1) await openLog('info', stream).close();
  await openLog('silent', stream).close();
  expect(stream.listenerCount('error')).toBe(1);
});

it('seldom() reports a repeated failure at most once a minute', () => {
  const messages: string[] = [];
  let nowMs = 0;
  const tell = limitRepeats(
    (message) => messages.push(message),
    () => nowMs,
  );
  const failures = ['away', 'away', 'full', 'away'];
  for (const at of [0, 30_000, 60_000]) {
    nowMs = at;
    failures.forEach(tell);
  }
  expect(messages).toEqual(['away', 'full', 'away', 'full']);
});

it('lines of JSON contain no raw control character or character that changes the text direction', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const { log, close } = openLog('info', stream);
  const what = 'a\u0085b\u009bc\u2028d\u202ee\u001bf';
  log.info({ world: what }, what);
  await close();
  expect(lines.join('')).toMatch(/^[\n -~]+$/);
  expect(JSON.parse(lines.join(''))).toMatchObject({ world: what, what });
});
