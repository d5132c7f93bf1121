import { signal } from '@preact/signals';
import type { Replay } from '../../contract/control/analysis/replay.js';
import { runAction } from '../notices.js';
import { go, goTo, address, shownItem, type Address } from '../router.js';
import { readReplay } from './read-replay.js';
import { rowsOf, type ReplayRow } from './rows.js';

/** The replay file that the page shows. It exists only in the memory of the page. */
export interface OpenReplay {
  readonly name: string;
  readonly file: Replay;
  readonly rows: readonly ReplayRow[];
  /** The address of the page before the file was opened. */
  readonly from: Address;
}

/** The open replay file; null without one. */
export const openedReplay = signal<OpenReplay | null>(null);

/** Name of the screen that shows the file, and kind of its panes in the inspector. */
const screen = 'replay';

/** Minimum width in pixels of a page that shows the list and the inspector next to each other. */
const minWidthOfBoth = 1100;

/** Key of the row at the last position, for an address without one: other screens keep no position. */
let lastKey = '';

/** Returns the key of the row at the position in the file. */
export const position = (): string => address.value.query['step'] || lastKey;

/** Whether the inspector shows a step or a finding of the replay file. */
const isInspected = (): boolean => shownItem.peek()?.startsWith(`${screen}/`) === true;

/** Returns the query that marks a row as the position, and shows it in the inspector if that is open. */
const positionAt = (key: string, inspect: boolean) => ({ step: key, show: inspect ? `${screen}/${key}` : '' });

/** Moves the position in the file to a row. @param inspect whether to show the row in the inspector. Default: if another row is there */
export function moveTo(key: string, inspect = isInspected()): void {
  lastKey = key;
  go({ query: positionAt(key, inspect) }, { replace: true });
}

/** Number of files that were chosen so far. */
let turn = 0;

/** Opens a replay file as a timeline, at its failure, or else at its first new finding or failed verification. The file is not sent to the sandbox. */
export function openReplay(files: readonly File[]): Promise<boolean> {
  return runAction(async () => {
    const [given, ...others] = files;
    if (given === undefined || others.length > 0)
      throw new Error(`Only one replay file can be opened at a time, and ${files.length} were chosen.`);
    turn += 1;
    const mine = turn;
    const file = await readReplay(given);
    if (mine !== turn) return; // Another file was chosen meanwhile.
    const rows = rowsOf(file);
    const now = address.peek();
    const before = now.screen === screen ? openedReplay.peek() : null;
    openedReplay.value = { name: given.name, file, rows, from: before?.from ?? now };
    // After the page was reloaded, the address still has the position in a file that is chosen again.
    const asked = now.screen === screen && before === null ? rows.find(({ key }) => key === now.query['step']) : undefined;
    const failed = rows.find(({ isFailure, step, finding }) => isFailure || (step === null && (finding?.state ?? 'NEW') === 'NEW'));
    const start = asked ?? failed ?? rows[file.steps.length - 1];
    lastKey = start?.key ?? '';
    const query = start === undefined ? {} : positionAt(start.key, innerWidth >= minWidthOfBoth);
    goTo({ world: now.world, screen, id: null, query });
  });
}

/** Closes the file, and returns to the address before it was opened. */
export function closeReplay(): void {
  const from = openedReplay.peek()?.from ?? address.peek();
  openedReplay.value = null;
  goTo(from.screen === screen ? { ...from, query: {} } : from);
  document.getElementById('main')?.focus();
}
