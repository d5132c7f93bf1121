import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser';

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

/** The first syntax error, thrown to stop the parser: error recovery would parse the rest of the text. */
class FirstMistake extends Error {
  readonly code: ParseErrorCode;
  readonly offset: number;

  constructor(code: ParseErrorCode, offset: number) {
    super();
    this.code = code;
    this.offset = offset;
  }
}

/**
 * Locates the first syntax error of a text that `JSON.parse` rejected. The messages of `JSON.parse` do not always name the position, differ
 * between versions, and quote the text, which may contain a secret.
 */
export function jsonMistake(text: string): JsonMistake {
  if (text.startsWith('\ufeff')) return { line: 1, column: 1, expected: 'no byte-order mark (U+FEFF) before the JSON' };
  const stop = (code: ParseErrorCode, offset: number) => {
    throw new FirstMistake(code, offset);
  };
  try {
    visit(text, { onError: stop }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (error instanceof FirstMistake) {
      const [line, start] = lineAt(text, error.offset);
      return { line, column: error.offset - start + 1, expected: wanted[printParseErrorCode(error.code)] ?? 'JSON' };
    }
    // The text is nested too deeply for this parser, so the position is unknown.
  }
  return { line: 1, column: 1, expected: 'JSON' };
}

/** Returns the number of the line of an offset, counted from 1, and the offset at which this line starts. */
function lineAt(text: string, offset: number): [line: number, start: number] {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) [line, start] = [line + 1, end + 1];
  return [line, start];
}
