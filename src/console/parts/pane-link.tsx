import type { ComponentChildren, JSX } from 'preact';
import { linkTo, show } from '../router.js';

/** A link that shows something in the inspector: `operations/218f…`. */
export function PaneLink({ to, children }: { readonly to: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <a href={linkTo({ query: { show: to } })} onClick={(event) => (event.preventDefault(), show(to))}>
      {children}
    </a>
  );
}
