#!/usr/bin/env node
import manifest from '../../package.json' with { type: 'json' };

/** Does what the command line asks for. What that needs is loaded only then. */
export async function run(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--version')) return console.log(manifest.version);
  const { help, start, tellHealth } = await import('./start.js');
  if (args.includes('--help') || args.includes('-h')) console.log(help());
  else if (args.includes('--health')) await tellHealth(args.filter((each) => each !== '--health'));
  else await start(args[0] === 'start' ? args.slice(1) : args);
}

// The build makes CommonJS of this, so that whoever requires it starts nothing.
if (require.main === module) void run();
