import type { Page } from 'playwright-core';
import { ReplaySchema, type Replay } from '../contract/control/analysis/replay.js';
import { lostTransfer, type ConsoleStage } from './console-page.js';
import { hostile } from './console-walk.js';

/** Selector of the selected step. */
export const selected = '.row[aria-selected=true]';

/** Name of the replay file that {@link openFile} drops. */
export const replayName = 'pays-out.replay.json';

/** A file to open: its name and its content. */
export type GivenFile = readonly [name: string, content: string | Buffer];

/** Drops files on the page, as a user drags them from a file manager. */
export async function drop(page: Page, ...files: readonly GivenFile[]): Promise<void> {
  const texts = files.map(([name, content]) => [name, Buffer.from(content).toString('base64')]);
  await page.evaluate(`{
    const data = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(texts)})
      data.items.add(new File([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))], name));
    const target = document.querySelector('main');
    for (const type of ['dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }`);
}

/** Drops a replay file and waits for its steps. */
export async function openFile(page: Page, file: Replay): Promise<void> {
  await drop(page, [replayName, JSON.stringify(file)]);
  await page.waitForSelector('.list[aria-label="Steps of the replay file"] .row');
}

/** Returns the replay file of a test that pays twice after a lost response, with the facts that a test runner adds. */
export async function recorded(stage: ConsoleStage): Promise<Replay> {
  await stage.control('PUT', 'test', { name: 'pays out' });
  await stage.client.subscribe('http://127.0.0.1:1/hooks');
  await stage.control('POST', 'faults', lostTransfer);
  await stage.client.transfer();
  await stage.client.transfer();
  await stage.control('POST', 'clock/advance', { by: 'PT1M' });
  const file = ReplaySchema.parse(await stage.control('GET', 'replay'));
  const about = { file: 'src/pay.test.ts', failure: `Expected 1 payment\n${hostile}`, runner: 'vitest', commit: '8f14e45f' };
  return { ...file, test: { ...file.test, ...about, runUrl: 'https://ci.example.com/runs/7' } };
}

/** Returns the text of the selected step. */
export const selectedText = (page: Page) => page.innerText(selected);

/** Returns the number of the step in the URL of the page; null without one. */
export const positionOf = (page: Page) => new URL(page.url()).searchParams.get('step');
