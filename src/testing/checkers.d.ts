/** Types of the libraries with which tests check results independently. These libraries ship no types; only the used parts are declared. */

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
