import ipaddr from 'ipaddr.js';

/**
 * Which webhook URLs are allowed. `strict` is the rule of the real service: HTTPS to public hosts.
 * `local` also allows http, and addresses that only exist beside the sandbox, where the endpoint under test runs.
 */
export const urlPolicies = ['local', 'strict'] as const;
export type UrlPolicy = (typeof urlPolicies)[number];

/** How near an address is: reachable from anywhere, only from beside the sandbox, or never to be called. */
type Reach = 'PUBLIC' | 'NEARBY' | 'FORBIDDEN';

const nearbyRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);
const metadataAddresses = new Set(['fd00:ec2::254', '100.100.100.200', '169.254.169.254']);

function reachOfAddress(address: string): Reach {
  let parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    const embedded = embeddedIPv4(parsed);
    if (embedded) parsed = embedded;
  }
  const range: string = parsed.range();
  if (range === 'linkLocal' || metadataAddresses.has(parsed.toString())) return 'FORBIDDEN';
  if (range === 'unicast') return 'PUBLIC';
  return nearbyRanges.has(range) ? 'NEARBY' : 'FORBIDDEN';
}

/** The IPv4 address inside an IPv6 one: mapped, compatible, NAT64 or 6to4; null when there is none. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const { parts } = address;
  const tail = (high: number, low: number) => new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
  const leads = (...wanted: number[]) => wanted.every((part, index) => parts[index] === part);
  if (leads(0x2002)) return tail(parts[1]!, parts[2]!);
  const carries = leads(0, 0, 0, 0, 0, 0xffff) || leads(0x64, 0xff9b) || leads(0, 0, 0, 0, 0xffff, 0);
  const compatible = leads(0, 0, 0, 0, 0, 0) && (parts[6] !== 0 || parts[7]! > 1);
  return carries || compatible ? tail(parts[6]!, parts[7]!) : null;
}

/** How near a host name is, judged by the name alone; a name that has to be looked up counts as public until then. */
function reachOfHost(hostname: string): Reach {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return reachOfAddress(host);
  return host === 'localhost' || host.endsWith('.localhost') || host === 'host.docker.internal' || !host.includes('.')
    ? 'NEARBY'
    : 'PUBLIC';
}

/** Why a webhook may not be sent to `url`; null when it may. Spellings of an address are the URL parser's business: it reads them all alike. */
export function urlFault(url: string, policy: UrlPolicy): string | null {
  if (!URL.canParse(url)) return 'it is not an absolute URL';
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'it is neither https nor http';
  if (username !== '' || password !== '') return 'it carries credentials';
  const reach = reachOfHost(hostname);
  if (reach === 'FORBIDDEN') return `${hostname} is a link-local, metadata or reserved address`;
  if (reach === 'NEARBY' && policy === 'strict') return `${hostname} is not publicly reachable`;
  if (protocol === 'http:' && (policy === 'strict' || reach === 'PUBLIC')) return 'it must use https';
  return null;
}

/** Why a connection to this resolved address may not be made; null when it may. */
export function addressFault(address: string, policy: UrlPolicy): string | null {
  const reach = ipaddr.isValid(address) ? reachOfAddress(address) : 'FORBIDDEN';
  if (reach === 'FORBIDDEN') return `${address} is a link-local, metadata or reserved address`;
  return reach === 'NEARBY' && policy === 'strict' ? `${address} is not publicly reachable` : null;
}
