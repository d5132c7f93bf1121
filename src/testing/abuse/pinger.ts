import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { root } from '../harness.js';
import { counts, type PingerData } from './pinger-data.js';

/** Asks for something small every 10 ms, in a thread of its own, and notes how long it waits for it. */
export class Pinger {
  readonly #worker: Worker;
  readonly #view: Int32Array;

  private constructor(worker: Worker, view: Int32Array) {
    this.#worker = worker;
    this.#view = view;
  }

  /** @param token of the world that is asked @param pid of the process that answers */
  static async start(url: string, token: string, pid: number): Promise<Pinger> {
    const shared = new SharedArrayBuffer(Object.keys(counts).length * Int32Array.BYTES_PER_ELEMENT);
    const entryPoints = [join(root, 'src/testing/abuse/pinger-thread.ts')];
    const { outputFiles } = await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', write: false });
    const code = new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`);
    return new Pinger(new Worker(code, { workerData: { url, token, pid, shared } satisfies PingerData }), new Int32Array(shared));
  }

  /** The longest wait since the last call of this, in milliseconds, when an answer that was under way has come. */
  async longestMs(): Promise<number> {
    const before = Atomics.load(this.#view, counts.answers);
    while (Atomics.load(this.#view, counts.answers) < before + 2) await wait(2);
    return Atomics.exchange(this.#view, counts.longestUs, 0) / 1000;
  }

  /** How many calls were not answered as they should be. */
  get failures(): number {
    return Atomics.load(this.#view, counts.failures);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
