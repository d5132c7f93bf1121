import { RootCommand, script } from '@bomb.sh/tab';
import { globalOptions, type Option, type Verb } from './verb.js';

/** Returns the words of a placeholder such as `bash|zsh|fish`; none for other placeholders. */
const choicesIn = (placeholder: string | undefined) =>
  placeholder !== undefined && /^[A-Za-z-]+(\|[A-Za-z-]+)+$/.test(placeholder) ? placeholder.split('|') : [];

function addOption(command: ReturnType<RootCommand['command']>, { name, value, meaning, short }: Option): void {
  const offer = (complete: (value: string, description: string) => void) => {
    for (const each of choicesIn(value)) complete(each, '');
  };
  if (value === undefined) command.option(name, meaning, short);
  else command.option(name, meaning, offer, short);
}

/** Returns the lines that the library prints. */
function printed(work: () => void): string[] {
  const lines: string[] = [];
  const { log } = console;
  console.log = (text: string) => void lines.push(text);
  try {
    work();
  } finally {
    console.log = log;
  }
  return lines;
}

/** Returns the script that makes a shell complete the command. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish'): string[] {
  return printed(() => script(shell, 'crossborder-sandbox', 'crossborder-sandbox completion'));
}

/** Returns the possible next words of a command line, in the format of the script. @param words words so far; the last may be incomplete */
export function completions(verbs: readonly Verb[], words: readonly string[]): string[] {
  const root = new RootCommand();
  // The library finds `fault add` only through a command `fault`.
  const families = new Set(verbs.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0]!] : [])));
  for (const family of families)
    root.command(family, `Commands: ${verbs.flatMap(({ name }) => (name.startsWith(`${family} `) ? [name] : [])).join(', ')}.`);
  for (const { name, summary, args = [], options = [] } of verbs) {
    const command = root.command(name, summary);
    for (const each of args)
      command.argument(
        each.name,
        (complete) => {
          if (each.meaning.includes('@last')) complete('@last', 'The newest');
          for (const choice of each.choices ?? []) complete(choice, '');
        },
        each.isMany,
      );
    for (const each of [...options, ...globalOptions]) addOption(command, each);
  }
  return printed(() => root.parse([...words]));
}
