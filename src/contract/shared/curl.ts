/** A request to format as a curl command. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** True if the request has an access token. The command reads it from the variable TOKEN. */
  readonly hasToken?: boolean;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** The parts of a form instead of a body, as curl takes them: `file=@sample.pdf;type=application/pdf`. */
  readonly parts?: readonly string[];
}

/** Quotes a string for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Formats a request as a curl command. */
export function curlOf({ method, url, hasToken = false, headers = [], body, parts = [] }: CurlRequest): string {
  return [
    `curl -s -X ${method} ${quoted(url)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    // With -d, curl reads a body that starts with @ as a file name.
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
    ...parts.map((part) => `-F ${quoted(part)}`),
  ].join(' \\\n  ');
}
