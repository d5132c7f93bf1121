import ipaddr from 'ipaddr.js';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { isNearbyName } from './nearby-names.js';

/** How near an address is: reachable from anywhere, only from beside the sandbox, or never to be called. */
type Reach = 'PUBLIC' | 'NEARBY' | 'FORBIDDEN';

/** Ranges of ipaddr.js that only exist beside the sandbox. */
const nearbyRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);

/** Where clouds tell a machine its secrets, beside the link-local addresses. */
const metadataAddresses: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:42::42', 'fd20:ce::254']);
/** Amazon's services for the machine itself: metadata, credentials, name server, time. */
const amazonServices = ipaddr.IPv6.parseCIDR('fd00:ec2::/32');
/** All that is given out for global use so far. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function reachOfAddress(address: string): Reach {
  // A zone says by which interface, not where to.
  const parsed = ipaddr.parse(address.split('%', 1)[0]!);
  if (parsed instanceof ipaddr.IPv4) return reachOfIPv4(parsed);
  const range: string = parsed.range();
  if (metadataAddresses.has(parsed.toString()) || parsed.match(amazonServices)) return 'FORBIDDEN';
  if (range === 'ipv4Mapped' || range === 'rfc6145') return reachOfIPv4(tailOf(parsed));
  // Translated by the network; where the translator is the local one, nobody can say what it reaches.
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

/** The IPv4 address in the last 32 bits of an IPv6 one. */
function tailOf({ parts }: ipaddr.IPv6): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(6);
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

/** How near a host name is, judged by the name alone; a name that has to be looked up counts as public until then. */
function reachOfHost(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return reachOfAddress(host);
  return isNearbyName(host) ? 'NEARBY' : 'PUBLIC';
}

/** Whether a host, by its name or as an address, only exists beside the sandbox. */
export function isNearbyHost(hostname: string): boolean {
  return reachOfHost(hostname) === 'NEARBY';
}

/**
 * Whether a host is this machine, however its address is spelt: a name of its own, the loopback or the unspecified address, or one of
 * `addresses`, which its interfaces have. Other names have to be looked up first.
 */
export function isThisMachine(hostname: string, addresses: readonly string[]): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').split('%', 1)[0]!;
  if (!ipaddr.isValid(host)) return /^(.+\.)?localhost\.?$/i.test(host);
  const address = unwrapped(host);
  const range: string = address.range();
  return range === 'loopback' || range === 'unspecified' || addresses.some((each) => unwrapped(each).toString() === address.toString());
}

/** An address, and that of IPv4 which one of IPv6 may be the spelling of. */
function unwrapped(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.parse(address);
  const range: string = parsed.range();
  return parsed instanceof ipaddr.IPv6 && ['ipv4Mapped', 'rfc6145', 'rfc6052'].includes(range) ? tailOf(parsed) : parsed;
}

/** Why a text is no absolute URL as RFC 3986 has them; null when it is one. The URL parser mends what other programs refuse, as the newline after a setting. */
export function spellingFault(url: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return 'it is not an absolute URL';
  const [stray] = /[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]|%(?![0-9A-Fa-f]{2})/u.exec(url) ?? [];
  return stray === undefined ? null : `it has ${JSON.stringify(stray)}, which no URL has unless it is encoded`;
}

/** Why a webhook may not be sent to `url`; null when it may. Spellings of an address are the URL parser's business: it reads them all alike. */
export function urlFault(url: string, policy: UrlPolicy): string | null {
  if (!URL.canParse(url)) return 'it is not an absolute URL';
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'it is neither https nor http';
  if (username !== '' || password !== '') return 'it carries credentials';
  return reachFault(reachOfHost(hostname), hostname, protocol, policy);
}

/** Why a connection to an address that a name was resolved to may not be made; null when it may. `protocol` is that of the URL, with its colon. */
export function addressFault(address: string, protocol: string, policy: UrlPolicy): string | null {
  const reach = ipaddr.isValid(address.split('%', 1)[0]!) ? reachOfAddress(address) : 'FORBIDDEN';
  return reachFault(reach, address, protocol, policy);
}

function reachFault(reach: Reach, host: string, protocol: string, policy: UrlPolicy): string | null {
  if (reach === 'FORBIDDEN') return `${host} is a link-local, metadata or reserved address`;
  if (reach === 'NEARBY' && policy === 'strict') return `${host} is not publicly reachable`;
  if (protocol === 'http:' && reach === 'PUBLIC') return `${host} is public, which needs https`;
  return null;
}
