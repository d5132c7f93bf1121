import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** The classes of Node, which have been loaded by the time of a test. */
const originals = { Headers, Request, Response };
type Name = keyof typeof originals;
const names = Object.keys(originals) as Name[];
let loads: Name[];

/** Puts the names back to what they are when Node starts, and has them stood in for. */
beforeEach(async () => {
  loads = [];
  for (const name of names) {
    const get = () => {
      loads.push(name);
      Object.defineProperty(globalThis, name, { value: originals[name], writable: true });
      return originals[name];
    };
    Object.defineProperty(globalThis, name, { get, configurable: true });
  }
  vi.resetModules();
  await import('./lazy-web-classes.js');
});

afterEach(() => {
  for (const name of names) Object.defineProperty(globalThis, name, { value: originals[name], writable: true, configurable: true });
});

it('loads nothing for classes that are derived, nor for what only looks like their instances', () => {
  class Derived extends Request {}
  const light = Object.create(Derived.prototype) as object;
  expect([light instanceof Derived, light instanceof Request, light instanceof Response, {} instanceof Headers]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(loads).toEqual([]);
});

it('loads the original with the first instance, and is it from then on', async () => {
  class Derived extends Request {}
  const light = Object.create(Derived.prototype) as object;
  const made = new Derived('http://localhost/x', { method: 'POST', body: 'text' });
  expect([made.url, made.method, await made.text()]).toEqual(['http://localhost/x', 'POST', 'text']);
  for (const each of [made, light]) {
    expect([each instanceof Derived, each instanceof Request, each instanceof originals.Request]).toEqual([true, true, true]);
  }
  expect(new originals.Request(made.url)).toBeInstanceOf(Request);
  expect(new originals.Request(made.url)).not.toBeInstanceOf(Derived);
  expect(new Derived(made.url).method).toBe('GET');
  expect(loads).toEqual(['Request']);
});

it('has the static members of the original', async () => {
  class Derived extends Response {}
  expect(await Derived.json({ a: 1 }).json()).toEqual({ a: 1 });
  expect(Response.error().type).toBe('error');
});

it('takes what Node made as an instance, and gives Node what it takes as one', () => {
  const headers = new Headers({ a: '1' });
  expect(new originals.Response(null, { headers }).headers.get('a')).toBe('1');
  expect(new originals.Response(null).headers).toBeInstanceOf(Headers);
  expect(new originals.Request(new Request('http://localhost/')).url).toBe('http://localhost/');
});

it('leaves a class in place that has been put there since', () => {
  const StandIn = Request;
  class Other extends StandIn {}
  globalThis.Request = Other;
  expect(new Request('http://localhost/')).toBeInstanceOf(Other);
  expect(globalThis.Request).toBe(Other);
  expect(loads).toEqual(['Request']);
});
