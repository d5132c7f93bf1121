/** An amount as people read it: `150.00 BRL`. A source that is not fixed yet has no value. */
export const amountText = ({ value, asset }: { readonly value?: string | null | undefined; readonly asset: string }): string =>
  `${value ?? '—'} ${asset}`;

/** A name of the contract in plain words: `payment instruction`. */
export const inWords = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** The name of a person or a company. */
export const nameOf = (
  party:
    | { readonly type: 'COMPANY'; readonly legalName: string }
    | { readonly type: 'INDIVIDUAL'; readonly firstName: string; readonly lastName: string },
): string => (party.type === 'COMPANY' ? party.legalName : `${party.firstName} ${party.lastName}`);
