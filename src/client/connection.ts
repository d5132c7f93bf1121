import { clientErrorCodes, SandboxError } from './error.js';

/** Options for the connection to a sandbox. Some defaults come from environment variables. */
export interface ConnectOptions {
  /** Base URL of the API. Default: SANDBOX_URL, else a local URL from SANDBOX_HOST and SANDBOX_PORT */
  readonly url?: string | undefined;
  /** Base URL of the control API. Default: SANDBOX_CONTROL_URL, else `url`; in the local URL, SANDBOX_CONTROL_PORT replaces the port */
  readonly controlUrl?: string | undefined;
  /** The control token, or the credentials of a world as `clientId:clientSecret`. Default: SANDBOX_CONTROL_TOKEN */
  readonly token?: string | undefined;
  /** Timeout of a request in milliseconds. Default: 90,000 */
  readonly timeoutMs?: number | undefined;
  /** Sends the requests. Default: the global `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The resolved options. URLs have no trailing slash; `token` is null without one. */
export interface Connection {
  readonly url: string;
  readonly controlUrl: string;
  readonly token: string | null;
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns an environment variable without surrounding white space, for example a carriage return from a .env file; empty if not set. */
export function variable(environment: Environment, name: string): string {
  return environment[name]?.trim() ?? '';
}

/** Default timeout in milliseconds. It is longer than the server takes for any request without its own timeout. */
const usualTimeoutMs = 90_000;

/**
 * Resolves the options of a connection, with defaults from environment variables.
 * @param nameOf returns the name of an option for error messages
 * @throws SandboxError INVALID_OPTION that names the invalid option or variable
 */
export function readConnection(
  given: ConnectOptions,
  environment: Environment = process.env,
  nameOf: (option: keyof ConnectOptions) => string = (option) => `connect({ ${option} })`,
): Connection {
  // JavaScript without types can pass the address itself. Ignoring it would connect to the default address.
  if (typeof given !== 'object' || given === null || given instanceof URL)
    throw invalid('The argument of connect', String(given), "an object, for example connect({ url: 'http://127.0.0.1:4010' })");
  const url = urlFrom(nameOf('url'), given.url) ?? urlFrom('SANDBOX_URL', variable(environment, 'SANDBOX_URL'));
  const own = url === undefined ? ownUrls(environment) : { url, controlUrl: url };
  const controlUrl =
    urlFrom(nameOf('controlUrl'), given.controlUrl) ?? urlFrom('SANDBOX_CONTROL_URL', variable(environment, 'SANDBOX_CONTROL_URL'));
  const timeoutMs = given.timeoutMs ?? usualTimeoutMs;
  if (!(timeoutMs > 0)) throw invalid(nameOf('timeoutMs'), String(timeoutMs), 'a number of milliseconds above 0');
  const send = given.fetch ?? ((request: Request) => fetch(request));
  const token = given.token || variable(environment, 'SANDBOX_CONTROL_TOKEN') || null;
  return { url: own.url, controlUrl: controlUrl ?? own.controlUrl, token, timeoutMs, fetch: send };
}

function invalid(source: string, value: string, wanted: string): SandboxError {
  return new SandboxError({ code: clientErrorCodes.invalidOption, serverMessage: `${source} is "${value}"; expected ${wanted}.` });
}

/** Validates a URL and removes trailing slashes. @returns undefined without a value */
function urlFrom(source: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) throw invalid(source, value, 'a URL, for example http://127.0.0.1:4010');
  return value.replace(/\/+$/, '');
}

/**
 * Returns the URLs of a local sandbox, from the variables that the server reads too. Ignores the value of SANDBOX_PORT that Kubernetes sets
 * for a service with the name `sandbox`.
 */
function ownUrls(environment: Environment): { readonly url: string; readonly controlUrl: string } {
  const host = variable(environment, 'SANDBOX_HOST') || '127.0.0.1';
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  const portOf = (name: string) => {
    const port = variable(environment, name);
    if (port === '' || /^(tcp|udp|sctp):\/\//.test(port)) return undefined;
    if (!/^[0-9]{1,5}$/.test(port)) throw invalid(name, port, 'the port of a sandbox');
    return port;
  };
  const port = portOf('SANDBOX_PORT') ?? '4010';
  return { url: `http://${reachable}:${port}`, controlUrl: `http://${reachable}:${portOf('SANDBOX_CONTROL_PORT') ?? port}` };
}
