import { signal } from '@preact/signals';
import { advance, freezeOrRun, runClockAction, nextTimer } from './clock-actions.js';
import { runAction } from './notices.js';
import { go, address, show, shownItem } from './router.js';
import { screenNamed, screens } from './screens.js';

const settingName = 'keys';

/** Whether single-key shortcuts are on. Users of speech input can switch them off, because spoken words would trigger actions. */
export const keysAreOn = signal(localStorage.getItem(settingName) !== 'off');

export function switchKeys(on: boolean): void {
  localStorage.setItem(settingName, on ? 'on' : 'off');
  keysAreOn.value = on;
}

/** The open dialog; null without one. */
export const dialog = signal<'help' | 'commands' | null>(null);

/** Clears `dialog` after a close, unless another dialog is open: the browser reports a close with a delay. */
export function closeDialog(which: 'help' | 'commands'): void {
  if (dialog.peek() === which) dialog.value = null;
}

async function copyShownId(): Promise<void> {
  const id = shownItem.peek()?.split('/').at(-1);
  if (id !== undefined) await runAction(() => navigator.clipboard.writeText(id), `Copied ${id}.`);
}

const moveInList = (by: number) => dispatchEvent(new CustomEvent('list-move', { detail: by }));
/** Sends a key action to the pane in the inspector. */
const tell = (what: string) => dispatchEvent(new CustomEvent('shown-key', { detail: what }));

/** The help text and the action of each key. */
export const keys: Readonly<Record<string, readonly [string, () => void]>> = {
  j: ['next row', () => moveInList(1)],
  k: ['row before', () => moveInList(-1)],
  '/': ['search', () => document.getElementById('search')?.focus()],
  f: ['freeze the clock, or let it run', () => void runClockAction(freezeOrRun)],
  '.': ['advance to the next timer', () => void runClockAction(nextTimer)],
  '+': ['advance the clock by a minute', () => void runClockAction(() => advance({ by: 'PT1M' }))],
  c: ['copy the shown item as curl', () => tell('curl')],
  y: ['copy the id of the shown item', () => void copyShownId()],
  r: ['resend the shown webhook, or repeat the shown request', () => tell('again')],
  m: ['mark the shown item', () => tell('mark')],
  d: ['compare the shown item with the marked one', () => tell('diff')],
  e: ['failures only, or everything', () => dispatchEvent(new CustomEvent('timeline-key', { detail: 'failures' }))],
  x: ['show only new events', () => dispatchEvent(new CustomEvent('timeline-key', { detail: 'from-here' }))],
  p: ['pause, or go on', () => dispatchEvent(new CustomEvent('timeline-key', { detail: 'pause' }))],
  '?': ['this help', () => (dialog.value = 'help')],
};

/** The keys that change the open world. */
const changing: ReadonlySet<string> = new Set(['f', '.', '+']);

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName));
}

export function listenForKeys(): void {
  let afterG = false;
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
      event.preventDefault();
      dialog.value = 'commands';
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || dialog.peek() !== null) return;
    if (event.key === 'Escape') {
      document.querySelector('details.waiting[open]')?.removeAttribute('open');
      show(null);
      requestAnimationFrame(() => moveInList(0));
      return;
    }
    if (!keysAreOn.peek()) return;
    const screen = afterG ? screens.find(({ key }) => key === event.key) : undefined;
    afterG = event.key === 'g';
    if (screen !== undefined) {
      go({ screen: screen.name, id: null });
      return;
    }
    const [, act] = keys[event.key] ?? [];
    if (act === undefined || (changing.has(event.key) && screenNamed(address.peek().screen).isLocal)) return;
    event.preventDefault();
    act();
  });
}
