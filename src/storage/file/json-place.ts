import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/**
 * Parses JSON, and says where it is broken when it is: `fail` gets `:line:column: what is wrong`, both from 1.
 * The engine's own parser does the work; its messages do not always name the place, so a second one looks for it.
 */
export function parseJson(text: string, fail: (what: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const errors: ParseError[] = [];
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
    const first = errors[0];
    if (!first) return fail(`: ${(error as Error).message}`);
    const before = text.slice(0, first.offset).split('\n');
    return fail(`:${before.length}:${before.at(-1)!.length + 1}: it is not JSON: ${printParseErrorCode(first.error)}.`);
  }
}
