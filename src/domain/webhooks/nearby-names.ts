/** Endings of names that no public name server answers for: a machine's own, a home's, a container runtime's, a cluster's. */
const nearbySuffixes = ['.localhost', '.internal', '.local', '.lan', '.test', '.svc'] as const;

/**
 * Whether a host name only exists beside the sandbox: a single label (`localhost`, a compose service), or one under a suffix such as
 * `.localhost`, `host.docker.internal` and `payments.default.svc.cluster.local` among them. Addresses are no names.
 */
export function isNearbyName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (/^[a-z0-9_-]+$/.test(name)) return true;
  return /^[a-z0-9._-]+$/.test(name) && nearbySuffixes.some((suffix) => name.endsWith(suffix) && name.length > suffix.length);
}
