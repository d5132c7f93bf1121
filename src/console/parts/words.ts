interface Amount {
  readonly value?: string | null | undefined;
  readonly asset: string;
}

/** Returns a decimal number with thousands separators: `1,250,000.00`. The functions of the browser for this delay the first row by 20 ms. */
export function grouped(value: string | number): string {
  const [whole = '', fraction] = String(value).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length);
  let text = '';
  for (let at = 0; at < digits.length; at += 1) text += (at > 0 && (digits.length - at) % 3 === 0 ? ',' : '') + digits[at]!;
  return `${sign}${text}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Returns an amount in readable form: `1,150.00 BRL`, or `— BRL` while the amount is not fixed. */
export const amountText = ({ value, asset }: Amount): string => `${value ? grouped(value) : '—'} ${asset}`;

/** Returns both amounts of an operation, or one if they are equal. */
export function movedText({ source, target }: { readonly source: Amount; readonly target: Amount }): string {
  const [from, to] = [amountText(source), amountText(target)];
  return from === to ? from : `${from} → ${to}`;
}

/** Returns a constant of the contract in plain words: `payment instruction`. */
export const inWords = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** Returns the name of a person or a company. */
export const nameOf = (
  party:
    | { readonly type: 'COMPANY'; readonly legalName: string }
    | { readonly type: 'INDIVIDUAL'; readonly firstName: string; readonly lastName: string },
): string => (party.type === 'COMPANY' ? party.legalName : `${party.firstName} ${party.lastName}`);
