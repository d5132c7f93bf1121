import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Returns the packages that files of a bundle come from, in the order of their paths.
 * @param inputs the files of a bundle
 * @throws Error when a package comes without a licence
 */
export function bundledPackages(inputs) {
  const roots = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return [...roots]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((root) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      if (!license) throw new Error(`${name} names no licence.`);
      return { root, name, version, license };
    });
}

/** Returns what the licences of bundled packages ask to be shipped with them: name, version and licence text of each. */
export function notices(packages) {
  const parts = packages.map(({ root, name, version, license }) => {
    const files = readdirSync(root).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const texts = files.map((file) => readFileSync(join(root, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `This package contains the following ones.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/**
 * Returns the bundled packages as a CycloneDX document, with the hashes that the lockfile has of their archives. It has no time
 * and no serial number, so that two builds of one source write the same file.
 */
export function billOfMaterials(packages) {
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const component = (type, { name, version, license }) => {
    const [scope, unscoped] = name.startsWith('@') ? name.split('/') : [undefined, name];
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const licences = /^[A-Za-z0-9.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];
    return { type, 'bom-ref': purl, ...(scope ? { group: scope } : {}), name: unscoped, version, licenses: licences, purl };
  };
  const hashesOf = (root) => {
    const [, algorithm, digest] = /^sha(512)-(.+)$/.exec(locked[relative('.', root)]?.integrity ?? '') ?? [];
    return algorithm ? { hashes: [{ alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') }] } : {};
  };
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', own) },
    components: packages.map((each) => ({ ...component('library', each), ...hashesOf(each.root) })),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
