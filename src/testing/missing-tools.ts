import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { executablePath } from './chromium.js';
import { hasPostgres } from './postgres-server.js';

const isInPath = (program: string) => (process.env['PATH'] ?? '').split(delimiter).some((place) => existsSync(join(place, program)));

/** Programs that some tests need: the name, the Debian package, and whether it is installed. Tests that need a missing one are skipped. */
const tools: readonly (readonly [name: string, packageName: string, isHere: () => boolean])[] = [
  ['chromium', 'chromium', () => executablePath !== undefined],
  ['PostgreSQL', 'postgresql', () => hasPostgres],
  ['PHP', 'php-cli', () => isInPath('php')],
  ['promtool', 'prometheus', () => isInPath('promtool')],
  ['zsh', 'zsh', () => isInPath('zsh')],
  ['Python', 'python3', () => isInPath('python3')],
  ['Java', 'default-jdk-headless', () => isInPath('java')],
];

/** Returns one line about the tools that are not installed; null if all are. */
export function missingTools(): string | null {
  const missing = tools.filter(([, , isHere]) => !isHere());
  if (missing.length === 0) return null;
  const [names, packages] = [missing.map(([name]) => name).join(', '), missing.map(([, packageName]) => packageName).join(' ')];
  return `Skipped: tests that need ${names} (apt-get install ${packages})`;
}

/** Prints at the end of a run with skipped tests which tools are missing. */
export default class MissingToolsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const hasSkipped = modules.some((each) => !each.children.allTests('skipped').next().done);
    const line = hasSkipped ? missingTools() : null;
    if (line !== null) process.stdout.write(`${line}\n\n`);
  }
}
