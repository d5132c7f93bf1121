import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const bundle = await rollup({ input: { ...both, ...modules }, external, plugins });
  for (const extension of ['mts', 'cts']) {
    const names = { entryFileNames: `[name].d.${extension}`, chunkFileNames: `shared-[name].d.${extension}` };
    const { output } = await bundle.generate({ format: 'es', ...names });
    const needed = output.filter(({ name, isEntry }) => extension === 'mts' || !isEntry || name in both);
    for (const { fileName, code } of needed) writeFileSync(join(directory, fileName), code);
  }
  await bundle.close();
}
