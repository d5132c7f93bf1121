const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** What XML cannot hold, even escaped: control characters but for white space, and halves of characters. */
const unfit = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/** A text as it stands in HTML and XML, in attributes too. */
export function escaped(text: string): string {
  return text.replaceAll(unfit, '\ufffd').replaceAll(/[&<>"']/g, (sign) => entities[sign]!);
}
