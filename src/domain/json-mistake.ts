import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** Where a text is no JSON, from 1, and what was expected there. */
export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const wanted: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidSymbol: 'a value; names and texts stand in double quotes',
  InvalidNumberFormat: 'a number as JSON writes it',
  PropertyNameExpected: 'the name of a field in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a closing brace',
  CloseBracketExpected: 'a closing bracket',
  EndOfFileExpected: 'nothing more behind the value',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfString: 'the closing quote of a text on the line where it began',
  InvalidUnicode: 'four hex digits behind \\u',
  InvalidEscapeCharacter: 'an escape that JSON has',
  InvalidCharacter: 'no control character within a text',
};

/**
 * Where a text is broken that the engine's parser has refused: its own messages do not always name the place, differ between its
 * versions, and quote from the text, which may hold a secret.
 */
export function jsonMistake(text: string): JsonMistake {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // It is nested too deep for that parser, which tells no place then.
  }
  const [first] = errors;
  const before = text.slice(0, first?.offset ?? 0).split('\n');
  const expected = first && wanted[printParseErrorCode(first.error)];
  return { line: before.length, column: before.at(-1)!.length + 1, expected: expected ?? 'JSON' };
}
