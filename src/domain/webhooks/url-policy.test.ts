import { describe, expect, it } from 'vitest';
import { metadataHosts, nearbyHosts, reservedHosts } from '../../testing/forbidden-hosts.js';
import { addressProblem, urlProblem } from './url-policy.js';

const publicHosts = ['hooks.example.com', '8.8.8.8', '[2606:4700::1111]', '[64:ff9b::8.8.8.8]', '100.128.0.1', '172.32.0.1'] as const;

describe('the URL policies', () => {
  // §D11-metadata-urls
  it.each(metadataHosts)('never allow %s, which is link-local or a metadata service', (host) => {
    for (const policy of ['local', 'strict'] as const)
      for (const scheme of ['http', 'https'])
        expect(urlProblem(`${scheme}://${host}/`, policy)).toMatch(/link-local, metadata or reserved/);
  });

  it.each(reservedHosts)('never allow %s, which is reserved', (host) => {
    for (const policy of ['local', 'strict'] as const) expect(urlProblem(`https://${host}/`, policy)).not.toBeNull();
  });

  it.each(nearbyHosts)('allow %s under "local", also by http, but not under "strict"', (host) => {
    expect(urlProblem(`http://${host}:8080/hooks`, 'local')).toBeNull();
    expect(urlProblem(`https://${host}/`, 'local')).toBeNull();
    expect(urlProblem(`https://${host}/`, 'strict')).toMatch(/not publicly reachable/);
    expect(urlProblem(`http://${host}/`, 'strict')).not.toBeNull();
  });

  it.each(publicHosts)('allow %s by https only', (host) => {
    for (const policy of ['local', 'strict'] as const) {
      expect(urlProblem(`https://${host}/`, policy)).toBeNull();
      expect(urlProblem(`http://${host}/`, policy)).toMatch(/https/);
    }
  });

  it.each([
    'ftp://localhost/',
    'file:///etc/passwd',
    '//localhost',
    'localhost:80',
    'https://user:secret@hooks.example.com/',
    'http://[::1',
    '',
  ])('do not allow %j', (url) => {
    for (const policy of ['local', 'strict'] as const) expect(urlProblem(url, policy)).not.toBeNull();
  });

  it.each([
    ['fe80::1%eth0', 'https:', 'local'],
    ['not an address', 'https:', 'local'],
    ['::ffff:169.254.169.254', 'http:', 'local'],
    ['8.8.8.8', 'http:', 'local'],
    ['10.1.2.3', 'https:', 'strict'],
  ] as const)('do not allow a connection to %s by %s under "%s"', (address, protocol, policy) => {
    expect(addressProblem(address, protocol, policy)).not.toBeNull();
  });

  it('allow http connections to a private address under "local"', () => {
    expect(addressProblem('10.1.2.3', 'http:', 'local')).toBeNull();
  });
});
