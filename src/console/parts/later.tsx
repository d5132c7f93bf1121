import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { runAction } from '../notices.js';
import type * as OnDemand from '../on-demand.js';

/** Returns a screen or pane from the module `on-demand`, which is loaded when the user first opens such a part. */
export function loadedOnDemand<P extends object = object>(choose: (parts: typeof OnDemand) => ComponentType<P>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Later(props: P): JSX.Element {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      void runAction(async () => {
        // If the sandbox was updated since, the scripts of this page no longer exist.
        const parts = await import('../on-demand.js').catch((error: unknown) => {
          throw new Error('The script of this screen could not be loaded. Reload the page.', { cause: error });
        });
        loaded = choose(parts);
        redraw(1);
      });
    }, []);
    const Loaded = loaded;
    return Loaded === undefined ? <p role="status">Loading…</p> : <Loaded {...props} />;
  };
}
