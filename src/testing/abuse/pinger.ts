import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { root } from '../root.js';
import { counts, type PingerData } from './pinger-data.js';

/** Sends a small request every 10 ms in a separate thread, and measures the waits. */
export class Pinger {
  readonly #worker: Worker;
  readonly #view: Int32Array;

  private constructor(worker: Worker, view: Int32Array) {
    this.#worker = worker;
    this.#view = view;
  }

  /** @param token a token of the world to read @param pid id of the sandbox process */
  static async start(url: string, token: string, pid: number): Promise<Pinger> {
    const shared = new SharedArrayBuffer(Object.keys(counts).length * Int32Array.BYTES_PER_ELEMENT);
    const entryPoints = [join(root, 'src/testing/abuse/pinger-thread.ts')];
    const { outputFiles } = await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', write: false });
    const code = new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`);
    return new Pinger(new Worker(code, { workerData: { url, token, pid, shared } satisfies PingerData }), new Int32Array(shared));
  }

  /** Returns the longest wait for a response since the previous `longestMs()`, in milliseconds. Includes the current request. */
  async longestMs(): Promise<number> {
    const before = Atomics.load(this.#view, counts.answers);
    while (Atomics.load(this.#view, counts.answers) < before + 2) await wait(2);
    return Atomics.exchange(this.#view, counts.longestUs, 0) / 1000;
  }

  /** Number of requests with a wrong response. */
  get failures(): number {
    return Atomics.load(this.#view, counts.failures);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
