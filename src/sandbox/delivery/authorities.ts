import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** The authorities that Node trusts, and those of a PEM file. @throws Error when it cannot be read or holds none */
export function readAuthorities(path: string): string[] {
  const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new Error(`${path} holds no certificate in PEM form.`);
  const own = found.map((pem, index) => {
    try {
      return new X509Certificate(pem).toString();
    } catch (error) {
      throw new Error(`Certificate ${index + 1} of ${path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  });
  return [...rootCertificates, ...own];
}
