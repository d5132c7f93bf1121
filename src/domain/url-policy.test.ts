import { describe, expect, it } from 'vitest';
import { addressFault, urlFault } from './url-policy.js';

/** Spellings of hosts that no policy may call: link-local and cloud metadata. */
const metadataHosts = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.23',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '025177524776',
  '169.254.43518',
  '169.16689662',
  '169.254.169.254.',
  '%31%36%39.254.169.254',
  '①⑥⑨.②⑤④.①⑥⑨.②⑤④',
  '169。254。169。254',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::ffff:0:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[2002:a9fe:a9fe::1]',
  '[fe80::1]',
  '[fe80::a9fe:a9fe]',
  '[febf::1]',
  '[fd00:ec2::254]',
  '[fd00:0ec2:0:0:0:0:0:254]',
  '[fd00:ec2::23]',
  '[fd20:ce::254]',
  '[fd00:42::42]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
] as const;

/** Spellings of hosts that only exist beside the sandbox: fine for `local`, refused by `strict`. */
const nearbyHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.255.255.254',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '0.0.0.0',
  '0',
  '[::]',
  '10.0.0.1',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '0xc0a80101',
  '100.64.0.1',
  '100.127.255.254',
  '[fc00::1]',
  '[fdff:ffff::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'app.localhost',
  'host.docker.internal',
  'receiver',
] as const;

/** Reserved for other ends, by no policy called. */
const reservedHosts = [
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.88.99.1',
  '[ff02::1]',
  '[fec0::1]',
  '[2001:db8::1]',
  '[2001::1]',
  '[100::1]',
  '[4000::1]',
  '[::8.8.8.8]',
  '[2002:808:808::1]',
] as const;

const publicHosts = ['hooks.example.com', '8.8.8.8', '[2606:4700::1111]', '[64:ff9b::8.8.8.8]', '100.128.0.1', '172.32.0.1'] as const;

describe('the URL policies', () => {
  // §D11-metadata-urls
  it.each(metadataHosts)('never allow %s', (host) => {
    for (const policy of ['local', 'strict'] as const)
      for (const scheme of ['http', 'https']) expect(urlFault(`${scheme}://${host}/`, policy)).toMatch(/link-local, metadata or reserved/);
  });

  it.each(reservedHosts)('never allow %s, which is reserved', (host) => {
    for (const policy of ['local', 'strict'] as const) expect(urlFault(`https://${host}/`, policy)).not.toBeNull();
  });

  it.each(nearbyHosts)('allow %s when they are local, by http too, and not when they are strict', (host) => {
    expect(urlFault(`http://${host}:8080/hooks`, 'local')).toBeNull();
    expect(urlFault(`https://${host}/`, 'local')).toBeNull();
    expect(urlFault(`https://${host}/`, 'strict')).toMatch(/not publicly reachable/);
    expect(urlFault(`http://${host}/`, 'strict')).not.toBeNull();
  });

  it.each(publicHosts)('allow %s by https only', (host) => {
    for (const policy of ['local', 'strict'] as const) {
      expect(urlFault(`https://${host}/`, policy)).toBeNull();
      expect(urlFault(`http://${host}/`, policy)).toMatch(/https/);
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
    for (const policy of ['local', 'strict'] as const) expect(urlFault(url, policy)).not.toBeNull();
  });

  it.each([
    ['fe80::1%eth0', 'https:', 'local'],
    ['not an address', 'https:', 'local'],
    ['::ffff:169.254.169.254', 'http:', 'local'],
    ['8.8.8.8', 'http:', 'local'],
    ['10.1.2.3', 'https:', 'strict'],
  ] as const)('do not connect to %s by %s when they are %s', (address, protocol, policy) => {
    expect(addressFault(address, protocol, policy)).not.toBeNull();
  });

  it('connect by http to what is beside the sandbox', () => {
    expect(addressFault('10.1.2.3', 'http:', 'local')).toBeNull();
  });
});
