import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/**
 * Writes the types of entries into a directory, for importers of either module system: what several of them share is one declaration,
 * and what they take from bundled packages stands among them.
 * @param both source files by the name of the entry
 * @param modules those that are ECMAScript modules only
 */
export async function writeEntryTypes(both, modules, directory) {
  const plugins = [dts({ includeExternal: ['openapi-fetch', 'openapi-typescript-helpers'], tsconfig: 'tsconfig.json' })];
  const external = [/^node:/, 'vitest', /^crossborder-sandbox\//];
  for (const [extension, input] of Object.entries({ mts: { ...both, ...modules }, cts: both })) {
    const bundle = await rollup({ input, external, plugins });
    const names = { entryFileNames: `[name].d.${extension}`, chunkFileNames: `shared-[name].d.${extension}` };
    await bundle.write({ dir: directory, format: 'es', ...names });
    await bundle.close();
  }
}
