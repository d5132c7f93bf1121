import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** The position of a syntax error in JSON, counted from 1, and the expected input at this position. */
export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const wanted: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidSymbol: 'a value; field names and strings need double quotes',
  InvalidNumberFormat: 'a valid JSON number',
  PropertyNameExpected: 'the name of a field in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a closing brace',
  CloseBracketExpected: 'a closing bracket',
  EndOfFileExpected: 'nothing after the value',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfString: 'the closing quote of the string, on the same line',
  InvalidUnicode: 'four hex digits after \\u',
  InvalidEscapeCharacter: 'a valid JSON escape sequence',
  InvalidCharacter: 'no control character inside a string',
};

/**
 * Locates the first syntax error of a text that `JSON.parse` rejected. The messages of `JSON.parse` do not always name the position, differ
 * between versions, and quote the text, which may contain a secret.
 */
export function jsonMistake(text: string): JsonMistake {
  if (text.startsWith('\ufeff')) return { line: 1, column: 1, expected: 'no byte-order mark (U+FEFF) before the JSON' };
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // The text is nested too deeply for this parser, so the position is unknown.
  }
  const [first] = errors;
  const before = text.slice(0, first?.offset ?? 0).split('\n');
  const expected = first && wanted[printParseErrorCode(first.error)];
  return { line: before.length, column: before.at(-1)!.length + 1, expected: expected ?? 'JSON' };
}
