// Reports the known vulnerabilities of the packages that are bundled into dist/. Packages that only develop or test this one are left out:
// nobody who installs it runs them. Ends with 1 if there is any, and with 0 if the registry answers no audits, as some mirrors do not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
const bundled = new Set(Array.from(notices.matchAll(/^(\S+) \d+\.\d+\.\S+ \(/gm), ([, name]) => name));
if (bundled.size === 0) throw new Error('dist/THIRD-PARTY-NOTICES.txt names no package: run npm run build.');

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const { vulnerabilities, message } = JSON.parse(stdout);
if (vulnerabilities === undefined) {
  console.log(`Skipped: the registry answers no audits (${message ?? 'no reason given'}).`);
} else {
  // A name in `via` is another package that is listed for itself.
  const found = Object.values(vulnerabilities)
    .filter(({ name }) => bundled.has(name))
    .flatMap(({ name, range, via }) => via.filter((each) => typeof each === 'object').map((each) => ({ name, range, ...each })));
  for (const { name, severity, title, url, range } of found) console.error(`${name} ${range}: ${severity}: ${title} ${url}`);
  if (found.length > 0) process.exitCode = 1;
  else console.log(`No known vulnerability in ${bundled.size} bundled packages.`);
}
