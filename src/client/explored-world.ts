/** The world of an exploration. Subdirectories cannot import `../world.js`, because the lint rules take it for the layer `world`. */
export type { WorldClient } from './world.js';
