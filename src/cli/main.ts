#!/usr/bin/env node
import manifest from '../../package.json' with { type: 'json' };

/** Does what the command line asks for: the server with no word or `start` before the settings, else a verb. What that needs is loaded only then. */
export async function run(): Promise<void> {
  const args = process.argv.slice(2);
  const [first = '', second = ''] = args;
  if (first === 'help' && second !== '' && !second.startsWith('-')) {
    const { runProcess } = await import('./process.js');
    return runProcess([...args.slice(1), '--help']);
  }
  if (first !== '' && first !== 'start' && first !== 'help' && !first.startsWith('-')) {
    const { runProcess } = await import('./process.js');
    return runProcess(args);
  }
  if (args.includes('--version')) return console.log(manifest.version);
  // Heard before anything is loaded: the first process of a container is deaf to a signal that it does not ask for.
  const stop = new Promise<void>((resolve) => ['SIGTERM', 'SIGINT'].forEach((signal) => process.on(signal, () => resolve())));
  const { help, start } = await import('./start.js');
  if (args.includes('--help') || args.includes('-h') || first === 'help') {
    const { listVerbs } = await import('./process.js');
    console.log(`${help()}\n${first === 'start' ? '' : listVerbs()}`.trimEnd());
  } else await start(first === 'start' ? args.slice(1) : args, stop);
}

// The build makes CommonJS of this, so that whoever requires it starts nothing.
if (require.main === module) void run();
