import { signal } from '@preact/signals';
import { advance, freezeOrRun, move, nextTimer } from './clock.js';
import { attempt } from './notices.js';
import { go, show, shown } from './router.js';
import { screens } from './screens.js';

const settingName = 'keys';

/** Whether single keys do something: they can be switched off, for those whose software types for them. */
export const keysAreOn = signal(localStorage.getItem(settingName) !== 'off');

export function switchKeys(on: boolean): void {
  localStorage.setItem(settingName, on ? 'on' : 'off');
  keysAreOn.value = on;
}

/** The open dialog. */
export const dialog = signal<'help' | 'commands' | null>(null);

/** Notes that a dialog has closed, which the browser tells of a little later: another one may be open by then. */
export function closeDialog(which: 'help' | 'commands'): void {
  if (dialog.peek() === which) dialog.value = null;
}

async function copyShownId(): Promise<void> {
  const id = shown.peek()?.split('/').at(-1);
  if (id !== undefined) await attempt(() => navigator.clipboard.writeText(id), `Copied ${id}.`);
}

const moveInList = (by: number) => dispatchEvent(new CustomEvent('list-move', { detail: by }));
/** Has whatever is shown do what it does for a key: the inspector listens. */
const tell = (what: string) => dispatchEvent(new CustomEvent('shown-key', { detail: what }));

/** The action of each key, and its text in the help. */
export const keys: Readonly<Record<string, readonly [string, () => void]>> = {
  j: ['next row', () => moveInList(1)],
  k: ['row before', () => moveInList(-1)],
  '/': ['search', () => document.getElementById('search')?.focus()],
  f: ['freeze the clock, or let it run', () => void move(freezeOrRun)],
  '.': ['advance to the next timer', () => void move(nextTimer)],
  '+': ['advance the clock by a minute', () => void move(() => advance({ by: 'PT1M' }))],
  c: ['copy what is shown as curl', () => tell('curl')],
  y: ['copy the id of what is shown', () => void copyShownId()],
  r: ['resend it, or send it again', () => tell('again')],
  m: ['mark it', () => tell('mark')],
  d: ['compare it with what is marked', () => tell('diff')],
  e: ['failures only, or everything', () => dispatchEvent(new CustomEvent('timeline-key', { detail: 'failures' }))],
  x: ['show what comes from here on', () => dispatchEvent(new CustomEvent('timeline-key', { detail: 'from-here' }))],
  p: ['pause, or go on', () => dispatchEvent(new CustomEvent('timeline-key', { detail: 'pause' }))],
  '?': ['this help', () => (dialog.value = 'help')],
};

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
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}
