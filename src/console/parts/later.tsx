import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { attempt } from '../notices.js';

/** A screen whose script is loaded when it is opened for the first time. */
export function later(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function Later(): JSX.Element {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      void attempt(async () => {
        // A sandbox of another version, started since, has other scripts.
        loaded = await load().catch((error: unknown) => {
          throw new Error('The script of this screen could not be loaded. Reload the page.', { cause: error });
        });
        redraw(1);
      });
    }, []);
    const Loaded = loaded;
    return Loaded === undefined ? <p role="status">Loading…</p> : <Loaded />;
  };
}
