/** The prefix of every access token: the beginning of a JSON object in base64url. */
const tokenStart = 'eyJ';
/** Minimum number of characters of the first part of a token. */
const minHead = 8;
/** Minimum number of characters of the second part of a token. */
const minClaims = 5;

/** The position of a token in a string. */
export interface TokenPlace {
  readonly start: number;
  readonly end: number;
}

/** True for the characters of base64url. */
function isTokenCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45 || code === 95;
}

/**
 * Returns the positions of all substrings that look like a JWT, in order. Reads each character at most twice.
 * @param isCut true if the string was cut at its end: the beginning of a token at the end then counts as a token
 */
export function tokensIn(text: string, isCut = false): TokenPlace[] {
  const places: TokenPlace[] = [];
  const endOfPart = (from: number) => {
    let at = from;
    while (at < text.length && isTokenCharacter(text.charCodeAt(at))) at += 1;
    return at;
  };
  for (let start = text.indexOf(tokenStart); start >= 0;) {
    const head = endOfPart(start + tokenStart.length);
    let end = head;
    if (head - start >= minHead) {
      const claims = text[head] === '.' ? endOfPart(head + 1) : head;
      const isWhole = claims - head > minClaims;
      if (isWhole) end = text[claims] === '.' ? endOfPart(claims + 1) : claims;
      if (isWhole) places.push({ start, end });
      else if (isCut && claims >= text.length - 1) places.push({ start, end: (end = text.length) });
    }
    // A later `eyJ` in the part that was just read cannot start a token either.
    start = text.indexOf(tokenStart, end);
  }
  return places;
}
