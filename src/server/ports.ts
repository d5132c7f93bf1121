import type { Server } from 'node:http';
import { portOf, urlOf } from './listen.js';
import type { Settings } from './options.js';

/** The ports of a sandbox: until it listens, the ports in its settings; then the ports on which it listens. */
export class Ports {
  readonly #servers: Server[] = [];
  #numbers: readonly number[];

  constructor({ PORT, CONTROL_PORT }: Pick<Settings, 'PORT' | 'CONTROL_PORT'>) {
    this.#numbers = [PORT, CONTROL_PORT ?? PORT];
  }

  /** Adds a listening server: first the server of the public API, then that of the control API if it has its own port. */
  add(server: Server): void {
    this.#servers.push(server);
  }

  /** Replaces the ports of the settings by the ports of the added servers. */
  opened(): void {
    this.#numbers = this.#servers.map(portOf);
  }

  get servers(): readonly Server[] {
    return this.#servers;
  }

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  get public(): Server {
    return this.#servers[0]!;
  }

  get control(): Server {
    return this.#servers.at(-1)!;
  }

  /** The port of the public API if the control API has its own port; otherwise null. */
  get publicPort(): number | null {
    return this.#servers.length > 1 ? portOf(this.public) : null;
  }

  /** Base URL of the control API on this machine. */
  get controlUrl(): string {
    return urlOf(this.control);
  }
}
