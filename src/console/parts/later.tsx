import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { attempt } from '../notices.js';

/** Returns a screen or pane whose script is loaded when the user first opens it. */
export function later<P extends object = object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Later(props: P): JSX.Element {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      void attempt(async () => {
        // If the sandbox was updated since, the scripts of this page no longer exist.
        loaded = await load().catch((error: unknown) => {
          throw new Error('The script of this screen could not be loaded. Reload the page.', { cause: error });
        });
        redraw(1);
      });
    }, []);
    const Loaded = loaded;
    return Loaded === undefined ? <p role="status">Loading…</p> : <Loaded {...props} />;
  };
}
