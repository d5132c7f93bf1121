/** An amount as people read it: `150.00 BRL`. A source that is not fixed yet has no value. */
export const amountText = ({ value, asset }: { readonly value?: string | null | undefined; readonly asset: string }): string =>
  `${value ?? '—'} ${asset}`;
