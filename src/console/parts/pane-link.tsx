import type { ComponentChildren, JSX } from 'preact';
import { linkTo } from '../router.js';
import { showWithFocus } from './pane-focus.js';

/** A link that shows an item in the inspector, for example `operations/218f…`, and moves the focus there. */
export function PaneLink({ to, children }: { readonly to: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <a href={linkTo({ query: { show: to } })} onClick={(event) => (event.preventDefault(), showWithFocus(to))}>
      {children}
    </a>
  );
}
