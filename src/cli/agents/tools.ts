import type { Tool } from './tool.js';
import { call } from './tools/call.js';
import { docs } from './tools/docs.js';
import { explore } from './tools/explore.js';
import { provoke } from './tools/provoke.js';
import { reconcile } from './tools/reconcile.js';
import { see } from './tools/see.js';
import { time } from './tools/time.js';
import { verdict } from './tools/verdict.js';
import { world } from './tools/world.js';

/** The tools of `mcp`. Their names never change. */
export const tools: readonly Tool[] = [docs, world, call, time, provoke, see, verdict, reconcile, explore];
