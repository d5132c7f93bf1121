import { passingCommand } from './gate.js';

const codes: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A', ':': '%3A', ',': '%2C' };
const coded = (text: string, letters: RegExp) => text.replace(letters, (letter) => codes[letter]!);

/** Returns a line that GitHub Actions shows as an annotation. @param where `file`, `line` and `col` of the annotation, or its `title` */
export function githubLine(
  level: 'error' | 'warning' | 'notice',
  message: string,
  where: Readonly<Record<string, string | number>>,
): string {
  const properties = Object.entries(where).map(([name, value]) => `${name}=${coded(String(value), /[%\r\n:,]/g)}`);
  return passingCommand(`::${level} ${properties.join(',')}::${coded(message, /[%\r\n]/g)}`);
}
