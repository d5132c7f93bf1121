import type { JSX } from 'preact';
import { quoted } from '../../contract/shared/curl.js';
import { CopyButton } from '../parts/button.js';

/** Returns a command of this package about a replay file, for a shell in the directory of the file. */
export function commandFor(name: string, ...flags: string[]): string {
  // The shell reads other characters as syntax, and the command reads a name that starts with a hyphen as a flag.
  const isPlain = /^\w[\w.-]*$/.test(name);
  return ['npx crossborder-sandbox replay', isPlain ? name : quoted(`./${name}`), ...flags].join(' ');
}

/** A command to run in a terminal, with a button that copies it. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="command">
      <code>{text}</code> <CopyButton text={() => text}>Copy</CopyButton>
    </span>
  );
}
