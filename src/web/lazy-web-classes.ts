/**
 * Node loads all of its `fetch` when one of these names is first mentioned: a tenth of a start, and four megabytes.
 * The adapter of the HTTP server mentions them when it is loaded, to derive classes of its own, but what it makes of those for
 * a usual request and answer needs nothing of the originals. So each name gets a stand-in to derive from, which loads the
 * original, and becomes a subclass of it, with the first instance or the first static member that is asked for.
 *
 * To be imported before the adapter is. A name whose original is loaded already keeps it; so does each from Node 22 on, where to look
 * at the name is to load it.
 */
for (const name of ['Headers', 'Request', 'Response', 'CloseEvent']) {
  const known = Object.getOwnPropertyDescriptor(globalThis, name);
  if (known?.get) standIn(name, () => known.get!.call(globalThis));
}

type WebClass = (new (...args: unknown[]) => object) & { readonly prototype: object };

function standIn(name: string, load: () => unknown): void {
  let loaded: WebClass | undefined;
  const original = () => {
    if (loaded) return loaded;
    const current = Object.getOwnPropertyDescriptor(globalThis, name)!;
    loaded = load() as WebClass;
    Object.defineProperty(globalThis, name, current); // Loading the original has put it there.
    Object.setPrototypeOf(StandIn, loaded);
    Object.setPrototypeOf(StandIn.prototype, loaded.prototype);
    return loaded;
  };
  class StandIn {
    constructor(...args: unknown[]) {
      return Reflect.construct(original(), args, new.target);
    }

    /** What Node itself makes is an original, and no instance of the stand-in. */
    static [Symbol.hasInstance](value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(this === StandIn && loaded ? loaded : this, value);
    }
  }
  Object.setPrototypeOf(
    StandIn,
    new Proxy(Function.prototype, { get: (target, key, derived) => Reflect.get(key in target ? target : original(), key, derived) }),
  );
  Object.defineProperty(StandIn, 'name', { value: name });
  Object.defineProperty(globalThis, name, { value: StandIn, writable: true, enumerable: false, configurable: true });
}
