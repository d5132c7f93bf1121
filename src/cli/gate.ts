import { randomBytes } from 'node:crypto';
import { styleText } from 'node:util';
import { escaped, printable } from '../domain/printable.js';

/** A target for the output of a command. */
export interface OutputTarget {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Marks text that the command itself adds. The mark is random, so external text cannot contain it. */
const own = randomBytes(12).toString('hex');

/** Matches an allowed text after the mark: a style or a GitHub Actions command. */
const ownText = /^(?:\[[0-9;]+m|::)/;

/** Returns styled text that the gate lets through. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  const [before, after] = styleText(style, '\n', { validateStream: false }).split('\n') as [string, string];
  return `${before.replaceAll('\u001b', own)}${text}${after.replaceAll('\u001b', own)}`;
}

/** Returns a GitHub Actions command that the gate lets through. @param command with its two colons */
export const passingCommand = (command: string): string => own + command;

/** Returns a line with its first character escaped if GitHub Actions would read the line as a command: two colons after blanks. */
function withoutCommand(line: string): string {
  const command = line.trimStart();
  return command.startsWith('::') ? `${line.slice(0, line.length - command.length)}${escaped(':')}${command.slice(1)}` : line;
}

/** Escapes control characters in external text; in a GitHub Actions job also workflow commands, in both forms: `::` and `##[`. */
function safe(text: string, isActions: boolean): string {
  const shown = printable(text);
  return isActions
    ? shown
        .split('\n')
        .map(withoutCommand)
        .join('\n')
        .replaceAll('##[', `${escaped('#')}#[`)
    : shown;
}

/**
 * Wraps a target so that it escapes control characters and, in a GitHub Actions job, external text that would be a workflow command.
 * Only styles and workflow commands that the program adds itself pass unchanged.
 */
export function escapedOutput(target: OutputTarget, { GITHUB_ACTIONS }: Readonly<Record<string, string | undefined>>): OutputTarget {
  const isActions = GITHUB_ACTIONS === 'true';
  const passed = (part: string, index: number): string => {
    const [sign = ''] = index === 0 ? [] : (ownText.exec(part) ?? []);
    return `${sign.startsWith('[') ? '\u001b' : ''}${sign}${safe(part.slice(sign.length), isActions)}`;
  };
  return { isTTY: target.isTTY, write: (text) => target.write(text.split(own).map(passed).join('')) };
}
