#!/usr/bin/env node
import * as modules from 'node:module';
import { setFlagsFromString } from 'node:v8';
import manifest from '../../package.json' with { type: 'json' };

/** Starts the server if the command is `start` or missing; otherwise runs the command. Loads only the modules that it needs. */
export async function run(): Promise<void> {
  const args = process.argv.slice(2);
  const [first = '', second = ''] = args;
  // The compiled code of the last run saves the time and the memory of compiling. Node.js has it from version 22.1.
  if ('enableCompileCache' in modules) (modules.enableCompileCache as () => void)();
  if (first === 'help' && second !== '' && second !== 'server' && second !== 'all' && !second.startsWith('-')) {
    const { runProcess } = await import('./process.js');
    return runProcess([...args.slice(1), '--help']);
  }
  if (first !== '' && first !== 'start' && first !== 'help' && !first.startsWith('-')) {
    const { runProcess } = await import('./process.js');
    return runProcess(args);
  }
  if (args.includes('--version')) return console.log(manifest.version);
  // Handlers come before any loading, because process 1 of a container ignores signals without a handler.
  const stop = new Promise<void>((resolve) => ['SIGTERM', 'SIGINT'].forEach((signal) => process.on(signal, () => resolve())));
  if (!('enableCompileCache' in modules)) setFlagsFromString('--semi-space-growth-factor=1'); // Until all modules are loaded: this needs little memory, and V8 would keep 30 MiB.
  if (args.includes('--help') || args.includes('-h') || first === 'help') {
    const isServer = first === 'start' || args.includes('server');
    const text = isServer ? (await import('./start.js')).help() : (await import('./process.js')).help(args.includes('all'));
    return console.log(text.trimEnd());
  }
  const { start } = await import('./start.js');
  await start(first === 'start' ? args.slice(1) : args, stop);
}

// The build compiles this to CommonJS. Requiring the module must not start a server.
if (require.main === module) void run();
