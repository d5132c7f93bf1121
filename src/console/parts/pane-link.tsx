import type { ComponentChildren, JSX } from 'preact';
import { linkTo } from '../router.js';
import { showWithFocus } from './pane-focus.js';

/** A link that shows something in the inspector: `operations/218f…`. The focus follows it there. */
export function PaneLink({ to, children }: { readonly to: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <a href={linkTo({ query: { show: to } })} onClick={(event) => (event.preventDefault(), showWithFocus(to))}>
      {children}
    </a>
  );
}
