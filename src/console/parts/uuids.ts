/** Matches every UUID in a text. */
export const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns a text with the first 8 characters of each UUID. */
export const withShortIds = (text: string): string => text.replaceAll(uuids, (id) => id.slice(0, 8));
