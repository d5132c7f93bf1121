import { relative } from 'node:path';

/** Name of the installed command, as help texts and examples write it. */
export const usualCommand = 'crossborder-sandbox';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the command that runs this program again from the current directory: the name of the command if it is installed, otherwise the
 * started file. A package that is not published yet cannot be started by its name.
 * @param script the started file, for example `/work/sandbox/dist/main.cjs`
 */
export function commandOf(script: string, directory: string, { npm_config_package: given, PATH = '' }: Environment): string {
  const file = script.replaceAll('\\', '/');
  if (/\/_npx\//.test(file)) return `npx ${given ? `--package ${given} ` : ''}${usualCommand}`;
  if (/\/node_modules\/(\.bin|crossborder-sandbox)\//.test(file) && !isGlobal(file)) return `npx ${usualCommand}`;
  if (!/\.[cm]?js$/.test(file) || PATH.split(':').some((each) => file === `${each}/${usualCommand}`)) return usualCommand;
  const path = relative(directory, script);
  return `node ${path.startsWith('..') ? script : path}`;
}

/** True for a file of a package that npm installed globally on Linux or macOS. Its command is on the PATH. */
const isGlobal = (file: string) => /\/lib\/node_modules\/crossborder-sandbox\//.test(file);

/** Replaces the command name in a text by the command that the user ran. A package name without a following command stays. */
export function withUsedCommand(text: string, command: string): string {
  return text
    .replaceAll(/(?:npx )?crossborder-sandbox (?=[a-z<-])/g, `${command} `)
    .replaceAll('"npx crossborder-sandbox"', `"${command}"`);
}
