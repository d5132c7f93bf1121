import { z } from '@hono/zod-openapi';
import type { NamedWorldRequest, SettingsRequest } from '../client/types.js';
import { NamedWorldRequestSchema, WorldNameSchema } from '../contract/control/worlds.js';
import { SettingsRequestSchema } from '../contract/scenario/settings.js';
import { runSync } from '../domain/interruptible.js';
import { FileMistakes, readYamlTextInSteps } from '../fixtures/yaml-file.js';
import { UsageError } from './failure.js';

const WantedWorldSchema = NamedWorldRequestSchema.extend({ name: WorldNameSchema, settings: SettingsRequestSchema.optional() });

/** A world as a file of `worlds apply` describes it. */
export type WantedWorld = NamedWorldRequest & { readonly name: string; readonly settings?: SettingsRequest };

/** Reads the worlds of a file. @param shownAs the name of the file for messages @throws UsageError with the line of each error */
export function wantedWorlds(text: string, shownAs: string): WantedWorld[] {
  try {
    const { value, mistake } = runSync(readYamlTextInSteps(text, z.array(WantedWorldSchema), shownAs));
    const names = new Set<string>();
    for (const [index, { name }] of value.entries()) {
      if (names.has(name)) throw new FileMistakes([mistake([index, 'name'], `expected each name once; got ${name} again`)], text, mistake);
      names.add(name);
    }
    return value as WantedWorld[];
  } catch (error) {
    if (error instanceof FileMistakes) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
