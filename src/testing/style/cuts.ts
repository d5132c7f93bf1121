import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches a call that cuts a text to a maximum length. Names in the plural are lists, and slices of fewer than 20 characters cut ids, digits and days: neither matches. */
const cutInPlace =
  /(\b\w*[^\Ws]|`|\b(join|stringify|String|text|toString|replace|replaceAll)\([^()]*\))\.(slice|substring)\(0, ([2-9][0-9]|[0-9]{3}|max|most|limit|kept|shown)/;
/** Other lists, a hash, and a text that is searched for secrets before it is cut. */
const others = /\b(all|found|open|missing|pending|evidence|rest|every|data|broken|oldest|known|strange|fired)\.slice\(|limit \+ lookAhead/;

/** Returns an error for each line that cuts a text itself: only `messages/cut.ts` keeps characters whole. */
export function cutMistakes(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (each) => /\.tsx?$/.test(each) && !/\.test\.ts$|^testing/.test(each) && !each.endsWith(join('messages', 'cut.ts')),
  );
  return files.flatMap((file) =>
    readFileSync(join('src', file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        cutInPlace.test(line) && !others.test(line)
          ? [`src/${file}:${index + 1}: cut the text with a function of contract/shared/messages/cut.ts: ${line.trim()}`]
          : [],
      ),
  );
}
