interface Amount {
  readonly value?: string | null | undefined;
  readonly asset: string;
}

/** A decimal number with separators between its thousands: `1,250,000.00`. */
export function grouped(value: string): string {
  const [whole = '', fraction] = value.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length);
  let text = '';
  for (let at = 0; at < digits.length; at += 1) text += (at > 0 && (digits.length - at) % 3 === 0 ? ',' : '') + digits[at]!;
  return `${sign}${text}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** An amount as people read it: `1,150.00 BRL`. A source that is not fixed yet has no value. */
export const amountText = ({ value, asset }: Amount): string => `${value ? grouped(value) : '—'} ${asset}`;

/** Both amounts of an operation, or one where they are the same. */
export function movedText({ source, target }: { readonly source: Amount; readonly target: Amount }): string {
  const [from, to] = [amountText(source), amountText(target)];
  return from === to ? from : `${from} → ${to}`;
}

/** A name of the contract in plain words: `payment instruction`. */
export const inWords = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** The name of a person or a company. */
export const nameOf = (
  party:
    | { readonly type: 'COMPANY'; readonly legalName: string }
    | { readonly type: 'INDIVIDUAL'; readonly firstName: string; readonly lastName: string },
): string => (party.type === 'COMPANY' ? party.legalName : `${party.firstName} ${party.lastName}`);
