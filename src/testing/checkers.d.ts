/** Types of the libraries that tests use for a second opinion and that ship no types: only the parts in use. */

declare module 'boleto-brasileiro-validator' {
  const boletos: { boletoBancario(line: string, withParts: boolean): boolean };
  export default boletos;
}

declare module 'iban' {
  const iban: { isValid(text: string): boolean };
  export default iban;
}

declare module 'multicoin-address-validator' {
  const wallets: { validate(address: string, currency: 'eth' | 'trx' | 'sol'): boolean };
  export default wallets;
}
