/** The parts of the page that are loaded when a replay file is first opened. One module, because each one more costs the start of the page. */
export { openReplay } from './opened.js';
export { Replay } from './replay.js';
export { RowPane } from './row-pane.js';
