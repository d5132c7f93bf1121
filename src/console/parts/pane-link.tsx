import { show, linkTo } from '../router.js';
import type { ComponentChildren, JSX } from 'preact';

/** Shows an item in the inspector, and moves the focus there. */
export function showWithFocus(what: string): void {
  show(what);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.inspector')?.focus());
}

/** A link that shows an item in the inspector, for example `operations/218f…`, and moves the focus there. */
export function PaneLink({ to, children }: { readonly to: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <a href={linkTo({ query: { show: to } })} onClick={(event) => (event.preventDefault(), showWithFocus(to))}>
      {children}
    </a>
  );
}
