import { show } from '../router.js';

/** Shows an item in the inspector, and moves the focus there. */
export function showWithFocus(what: string): void {
  show(what);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.inspector')?.focus());
}
