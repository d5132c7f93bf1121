const authority = 'For your own CA, set SANDBOX_CA_FILE to its PEM file.';
const noHttp = 'The endpoint does not use HTTP.';
const noTls = 'The endpoint does not use TLS. Does it expect http instead of https?';

/** Explanations of error codes of Node.js and TLS, by code. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server listens on that port, or a firewall rejects the connection.',
  ECONNRESET: 'The endpoint closed the connection before it responded.',
  EPIPE: 'The endpoint closed the connection before it responded.',
  UND_ERR_SOCKET: 'The endpoint closed the connection before it responded.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The Content-Length of the response is wrong.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be looked up: the name server did not respond.',
  EHOSTUNREACH: 'There is no route to that address.',
  ENETUNREACH: 'There is no route to that address.',
  ETIMEDOUT: 'The endpoint did not accept the connection in time.',
  DEPTH_ZERO_SELF_SIGNED_CERT: `The certificate is self-signed. ${authority}`,
  SELF_SIGNED_CERT_IN_CHAIN: `The certificate comes from an authority that is not trusted. ${authority}`,
  UNABLE_TO_GET_ISSUER_CERT: `The certificate comes from an unknown authority. ${authority}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `The certificate comes from an unknown authority. ${authority}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `The endpoint's certificate is not trusted, or its intermediate certificates are missing. ${authority}`,
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name than the one in the URL.',
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  EPROTO: noTls,
};

/** Returns the reason for a failed connection or request as a sentence that ends with the error code, so that users can search for it. */
export function connectionProblem(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown };
  if (typeof code !== 'string') return message === undefined || message === '' ? 'The connection failed.' : message;
  const meaning =
    meanings[code] ??
    (code.startsWith('HPE_') ? noHttp : /^(ERR_SSL_|ERR_TLS_)/.test(code) ? 'TLS could not be negotiated.' : 'The connection failed.');
  return `${meaning} (${code})`;
}
