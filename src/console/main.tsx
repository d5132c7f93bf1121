import { render } from 'preact';
import { App } from './app.js';
import { listenForKeys } from './keys.js';
import { followHistory } from './router.js';
import { follow } from './store.js';

followHistory();
follow();
listenForKeys();
render(<App />, document.getElementById('app')!);
