import { answered, ignoreNotFound, type CallOptions } from './caller.js';
import { WorldClient } from './world.js';

/** A handle for a world, which can also delete the world. */
export class OwnedWorld extends WorldClient {
  /** Deletes the world permanently. */
  async delete({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/worlds/{worldName}', { params: { path: { worldName: this.name } }, signal }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return ignoreNotFound(this.delete());
  }
}
