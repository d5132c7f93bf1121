import { render } from 'preact';
import { App } from './app.js';
import { listenForKeys } from './keys.js';
import { listenForFiles } from './replay/choose-file.js';
import { followHistory } from './router.js';
import { follow } from './store.js';

followHistory();
follow();
listenForKeys();
listenForFiles();
render(<App />, document.getElementById('app')!);
