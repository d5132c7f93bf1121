import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the licences of bundled packages ask to be shipped with them: name, version and licence text of each.
 * @param inputs the files of a bundle
 * @throws Error when a package comes without a licence
 */
export function notices(inputs) {
  const roots = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const parts = [...roots]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((root) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      if (!license) throw new Error(`${name} names no licence.`);
      const files = readdirSync(root).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
      const texts = files.map((file) => readFileSync(join(root, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    });
  return `This package contains the following ones.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
