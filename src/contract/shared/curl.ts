/** A request as curl sends it. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** Whether it carries an access token, which the command takes from the variable TOKEN. */
  readonly hasToken?: boolean;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

/** A text as a shell takes it as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A request as a command for a shell. */
export function curlOf({ method, url, hasToken = false, headers = [], body }: CurlRequest): string {
  return [
    `curl -s -X ${method} ${quoted(url)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    // With -d, a body that begins with @ would be the name of a file.
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}
