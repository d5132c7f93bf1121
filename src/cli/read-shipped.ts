import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from '@hono/zod-openapi';
import { ScenarioSchema } from '../contract/scenario.js';
import { dataFiles } from '../world/reference-data.js';
import { isScenarioFile, loadScenarios } from '../world/scenario-files.js';
import { checksumOf, readYaml } from '../world/yaml-file.js';

/**
 * Reads and checks the shipped data for the build, so that no start has to.
 * @returns what each file holds, by the checksum of its text
 * @throws FileMistakes
 */
export function readShipped(): Record<string, unknown> {
  loadScenarios('scenarios'); // Refuses what a schema alone does not see.
  const scenarios = readdirSync('scenarios').filter(isScenarioFile);
  const files: [string, z.ZodType][] = [
    ...Object.entries(dataFiles).map(([name, schema]): [string, z.ZodType] => [join('fixtures', name), schema]),
    ...scenarios.map((name): [string, z.ZodType] => [join('scenarios', name), ScenarioSchema]),
  ];
  return Object.fromEntries(
    files.map(([path, schema]) => {
      const { value } = readYaml(path, schema);
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)) throw new Error(`${path} holds what JSON cannot say.`);
      return [checksumOf(readFileSync(path, 'utf8')), value];
    }),
  );
}
