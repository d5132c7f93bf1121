import { execFileSync } from 'node:child_process';

/** Builds the command once, for tests that run it as a process. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'inherit', 'inherit'] });
}
