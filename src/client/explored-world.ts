/** The world of an exploration. Modules in directories below cannot import `world.js`, which is the name of a layer. */
export type { WorldClient } from './world.js';
