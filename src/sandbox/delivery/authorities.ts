import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Returns the certificate authorities of Node.js and of a PEM file. @throws Error if the file is unreadable or has no certificate */
export function readAuthorities(path: string): string[] {
  const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new Error(`${path} contains no certificate in PEM format.`);
  const own = found.map((pem, index) => {
    try {
      return new X509Certificate(pem).toString();
    } catch (error) {
      throw new Error(`Certificate ${index + 1} of ${path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  });
  return [...rootCertificates, ...own];
}
