import { ownCodes, SandboxError } from './error.js';

/** Where a sandbox is; what is left out comes from the environment. */
export interface ConnectOptions {
  /** Base URL of the API; else SANDBOX_URL, else that of a sandbox on this machine with the SANDBOX_HOST and SANDBOX_PORT of the environment. */
  readonly url?: string | undefined;
  /** Where the control plane answers, if not there too; else SANDBOX_CONTROL_URL, or SANDBOX_CONTROL_PORT on this machine. */
  readonly controlUrl?: string | undefined;
  /** The control token, where one is set, or the credentials of a world as `clientId:clientSecret`; else SANDBOX_CONTROL_TOKEN. */
  readonly token?: string | undefined;
  /** How long a call may take, in milliseconds; 90,000 unless told otherwise. */
  readonly timeoutMs?: number | undefined;
  /** What makes the calls; the global fetch unless told otherwise. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Everything that a call needs to know of a sandbox. URLs have no slash at their end. */
export interface Connection {
  readonly url: string;
  readonly controlUrl: string;
  readonly token: string | null;
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable without what a file of variables leaves at its end, as a carriage return; empty when there is none. */
export function variable(environment: Environment, name: string): string {
  return environment[name]?.trim() ?? '';
}

/** Longer than the server takes for any call that does not name a time of its own. */
const usualTimeoutMs = 90_000;

/**
 * Where a sandbox is, by what was given and the environment.
 * @param nameOf how the one who gave an option calls it
 * @throws SandboxError INVALID_OPTION naming the option or variable
 */
export function readConnection(
  given: ConnectOptions,
  environment: Environment = process.env,
  nameOf: (option: keyof ConnectOptions) => string = (option) => `connect({ ${option} })`,
): Connection {
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
  return new SandboxError({ code: ownCodes.invalidOption, said: `${source} is "${value}"; expected ${wanted}.` });
}

/** @returns undefined when there is no value */
function urlFrom(source: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) throw invalid(source, value, 'a URL, as http://127.0.0.1:4010');
  return value.replace(/\/+$/, '');
}

/** A sandbox on this machine, by the settings that it takes from the environment. Kubernetes sets SANDBOX_PORT, too, to an address that means nothing here. */
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
