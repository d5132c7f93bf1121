import ipaddr from 'ipaddr.js';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { isNearbyName } from './nearby-names.js';

/** The reachability of an address: public, only in a local or private network, or never allowed. */
type Reach = 'PUBLIC' | 'NEARBY' | 'FORBIDDEN';

/** Address ranges of ipaddr.js for local and private networks. */
const nearbyRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);

/** Cloud metadata services outside the link-local range. */
const metadataAddresses: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:42::42', 'fd20:ce::254']);
/** Amazon's services for the machine itself: metadata, credentials, DNS, time. */
const amazonServices = ipaddr.IPv6.parseCIDR('fd00:ec2::/32');
/** All IPv6 addresses that are assigned for global use so far. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function reachOfAddress(address: string): Reach {
  // An IPv6 zone (`%eth0`) names a local interface, not a destination.
  const parsed = ipaddr.parse(address.split('%', 1)[0]!);
  if (parsed instanceof ipaddr.IPv4) return reachOfIPv4(parsed);
  const range: string = parsed.range();
  if (metadataAddresses.has(parsed.toString()) || parsed.match(amazonServices)) return 'FORBIDDEN';
  if (range === 'ipv4Mapped' || range === 'rfc6145') return reachOfIPv4(tailOf(parsed));
  // NAT64. The target of a locally defined translator is unknown.
  if (range === 'rfc6052') return parsed.parts[2] === 0 ? reachOfIPv4(tailOf(parsed)) : 'FORBIDDEN';
  if (range === 'unicast') return parsed.match(globalUnicast) ? 'PUBLIC' : 'FORBIDDEN';
  return nearbyRanges.has(range) ? 'NEARBY' : 'FORBIDDEN';
}

function reachOfIPv4(address: ipaddr.IPv4): Reach {
  const range: string = address.range();
  if (metadataAddresses.has(address.toString())) return 'FORBIDDEN';
  if (range === 'unicast') return 'PUBLIC';
  return nearbyRanges.has(range) ? 'NEARBY' : 'FORBIDDEN';
}

/** Returns the IPv4 address in the last 32 bits of an IPv6 address. */
function tailOf({ parts }: ipaddr.IPv6): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(6);
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

/** Returns the reachability of a host from its name alone. A name that needs DNS counts as public for now. */
function reachOfHost(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return reachOfAddress(host);
  return isNearbyName(host) ? 'NEARBY' : 'PUBLIC';
}

/** Whether a host name or address exists only in a local or private network. */
export function isNearbyHost(hostname: string): boolean {
  return reachOfHost(hostname) === 'NEARBY';
}

/**
 * Whether a host is this machine: `localhost`, a loopback or unspecified address, or one of `addresses`, in any notation. Other names
 * return false; resolve them first.
 */
export function isThisMachine(hostname: string, addresses: readonly string[]): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').split('%', 1)[0]!;
  if (!ipaddr.isValid(host)) return /^(.+\.)?localhost\.?$/i.test(host);
  const address = unwrapped(host);
  const range: string = address.range();
  return range === 'loopback' || range === 'unspecified' || addresses.some((each) => unwrapped(each).toString() === address.toString());
}

/** Parses an address. Returns the IPv4 address if an IPv6 address embeds one. */
function unwrapped(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.parse(address);
  const range: string = parsed.range();
  return parsed instanceof ipaddr.IPv6 && ['ipv4Mapped', 'rfc6145', 'rfc6052'].includes(range) ? tailOf(parsed) : parsed;
}

/**
 * Returns why a string is not a valid absolute URL by RFC 3986; null if valid. The URL parser accepts strings that other programs
 * reject, for example with a final newline.
 */
export function spellingProblem(url: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return 'it is not an absolute URL';
  const [stray] = /[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]|%(?![0-9A-Fa-f]{2})/u.exec(url) ?? [];
  if (stray === undefined) return null;
  const [host = ''] = /(?<=^[a-z][a-z0-9+.-]*:\/\/)[^/?#]*/i.exec(url) ?? [];
  if (!host.includes(stray) || !URL.canParse(url)) return `it contains ${JSON.stringify(stray)}, which must be percent-encoded`;
  return `the host contains ${JSON.stringify(stray)}; write the host in its ASCII form, ${new URL(url).hostname}`;
}

/** Returns why the policy forbids webhooks to `url`; null if it allows them. The URL parser normalises all notations of an address. */
export function urlProblem(url: string, policy: UrlPolicy): string | null {
  if (!URL.canParse(url)) return 'it is not an absolute URL';
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'it is neither https nor http';
  if (username !== '' || password !== '') return 'it contains credentials';
  return reachProblem(reachOfHost(hostname), hostname, protocol, policy);
}

/** Returns why the policy forbids a connection to a resolved address; null if allowed. @param protocol of the URL, with the colon */
export function addressProblem(address: string, protocol: string, policy: UrlPolicy): string | null {
  const reach = ipaddr.isValid(address.split('%', 1)[0]!) ? reachOfAddress(address) : 'FORBIDDEN';
  return reachProblem(reach, address, protocol, policy);
}

function reachProblem(reach: Reach, host: string, protocol: string, policy: UrlPolicy): string | null {
  if (reach === 'FORBIDDEN') return `${host} is a link-local, metadata or reserved address`;
  if (reach === 'NEARBY' && policy === 'strict') return `${host} is not publicly reachable`;
  if (protocol === 'http:' && reach === 'PUBLIC') return `${host} is a public host, which requires https`;
  return null;
}
