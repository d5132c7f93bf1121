import { render } from 'preact';
import { App } from './app.js';
import { listenForKeys } from './keys.js';
import { listenForFiles } from './replay/choose-file.js';
import { followHistory } from './router.js';
import { followWorld } from './store.js';

followHistory();
followWorld();
listenForKeys();
listenForFiles();
render(<App />, document.getElementById('app')!);
