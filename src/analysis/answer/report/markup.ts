const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that XML cannot contain, even escaped: control characters except white space, and unpaired surrogates. */
const unfit = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/** Escapes a string for HTML and XML, also in attributes. */
export function escaped(text: string): string {
  return text.replaceAll(unfit, '\ufffd').replaceAll(/[&<>"']/g, (sign) => entities[sign]!);
}
