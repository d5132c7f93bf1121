/** Returns the parsed JSON of a text; the text itself if it is not valid JSON; null without a text. */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
