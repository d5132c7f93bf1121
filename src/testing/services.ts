import type { SharedServices } from '../world/view.js';

/** Shared services for worlds that use none: each access throws an error. */
export const noServices = new Proxy({} as SharedServices, {
  get: (_target, name) => {
    throw new Error(`This test has no shared service ${String(name)}.`);
  },
});
