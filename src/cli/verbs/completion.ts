import { oneOf } from '../values.js';
import type { Verb } from '../verb.js';

const shells = ['bash', 'zsh', 'fish'] as const;

/** First argument if a shell requests the next words of a command line. */
const completeRequest = 'complete';

/** @param verbs returns all commands; a function, because this command is one of them */
export const completionVerb = (verbs: () => readonly Verb[]): Verb => ({
  name: 'completion',
  group: 'run',
  summary: 'Print the script that makes bash, zsh or fish complete commands and options.',
  args: [
    { name: 'shell', meaning: `${shells.join(', ')}.`, choices: shells },
    { name: 'words', meaning: 'A command line to complete; the script uses it.', isOptional: true, isMany: true },
  ],
  examples: [
    'crossborder-sandbox completion bash > crossborder-sandbox.bash',
    'crossborder-sandbox completion zsh > _crossborder-sandbox',
    'crossborder-sandbox completion fish > crossborder-sandbox.fish',
  ],
  calls: [],
  run: async ({ args: [first = '', ...words], out }) => {
    const { completions, completionScript } = await import('../completion.js'); // Most commands do not need the library.
    const lines = first === completeRequest ? completions(verbs(), words) : completionScript(oneOf(first, 'The shell', shells));
    for (const each of lines) out.line(each);
  },
});
