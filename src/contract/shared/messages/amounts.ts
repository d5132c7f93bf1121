/** Returns amounts with their assets in a line, for example `150.00 BRL, 20.00 USD`; empty without amounts. */
export const amountsText = (amounts: readonly { readonly value: string; readonly asset: string }[]): string =>
  amounts.map(({ value, asset }) => `${value} ${asset}`).join(', ');
