import { answered, disposed, type CallOptions } from './caller.js';
import { WorldClient } from './world.js';

/** A world that was made to be deleted again. */
export class OwnedWorld extends WorldClient {
  /** Ends the world for good. */
  async delete({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/worlds/{worldName}', { params: { path: { worldName: this.name } }, signal }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return disposed(this.delete());
  }
}
