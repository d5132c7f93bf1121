const authority = 'If it is an authority of your own, name its PEM file in SANDBOX_CA_FILE.';
const noHttp = 'What answers there does not speak HTTP.';
const noTls = 'What answers there does not speak TLS: it may be a plain http port.';

/** What the codes of Node and of its TLS mean to somebody whose endpoint cannot be reached. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at that port, or a firewall refuses the connection.',
  ECONNRESET: 'The endpoint closed the connection before it answered.',
  EPIPE: 'The endpoint closed the connection before it answered.',
  UND_ERR_SOCKET: 'The endpoint closed the connection before it answered.',
  ENOTFOUND: 'The name of the host is not known.',
  EAI_AGAIN: 'The name of the host could not be looked up; the name server gave no answer.',
  EHOSTUNREACH: 'No way leads to that address.',
  ENETUNREACH: 'No way leads to that address.',
  ETIMEDOUT: 'The endpoint did not answer the connection in time.',
  DEPTH_ZERO_SELF_SIGNED_CERT: `The certificate is signed by itself. ${authority}`,
  SELF_SIGNED_CERT_IN_CHAIN: `The certificate comes from an authority that is not trusted. ${authority}`,
  UNABLE_TO_GET_ISSUER_CERT: `The certificate comes from an authority that is not known. ${authority}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `The certificate comes from an authority that is not known. ${authority}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `The certificate comes without those of its authority, or from one that is not known. ${authority}`,
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name than that of the URL.',
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  EPROTO: noTls,
};

/** Why a connection or an exchange over it failed, as a sentence, with the code that searches find more by. */
export function connectionFault(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown };
  if (typeof code !== 'string') return message === undefined || message === '' ? 'The connection failed.' : message;
  const meaning =
    meanings[code] ??
    (code.startsWith('HPE_') ? noHttp : /^(ERR_SSL_|ERR_TLS_)/.test(code) ? 'TLS could not be agreed on.' : 'The connection failed.');
  return `${meaning} (${code})`;
}
