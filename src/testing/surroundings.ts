import type { SharedServices } from '../world/view.js';

/** For units of work that use no services outside their world. */
export const noSurroundings = new Proxy({} as SharedServices, {
  get: (_target, name) => {
    throw new Error(`There is no ${String(name)} around this world.`);
  },
});
