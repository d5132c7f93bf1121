import { render } from 'preact';
import { App } from './app.js';
import { listenForKeys } from './keys.js';
import { listenForFiles } from './replay/choose-file.js';
import { address, followHistory } from './router.js';
import { followWorld } from './store.js';

/** Maximum milliseconds that the page waits for its first rows before it renders the frame without them. */
const firstRowsMs = 100;

followHistory();
const firstRows = followWorld();
listenForKeys();
listenForFiles();
// With its rows, the browser lays out the timeline once, not twice. A search in the address shows other rows.
if (address.peek().screen === 'timeline' && location.search === '')
  await Promise.race([firstRows, new Promise((resolve) => setTimeout(resolve, firstRowsMs))]);
render(<App />, document.getElementById('app')!);
