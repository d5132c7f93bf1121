/** Suffixes that public DNS does not resolve: those of machines, home networks, container runtimes and clusters. */
const nearbySuffixes = ['.localhost', '.internal', '.local', '.lan', '.test', '.svc'] as const;

/**
 * Whether a host name exists only in a local or private network: a single label (`localhost`, a compose service), or a name with a suffix
 * such as `.localhost`, for example `host.docker.internal`. Not for IP addresses.
 */
export function isNearbyName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (/^[a-z0-9_-]+$/.test(name)) return true;
  return /^[a-z0-9._-]+$/.test(name) && nearbySuffixes.some((suffix) => name.endsWith(suffix) && name.length > suffix.length);
}
