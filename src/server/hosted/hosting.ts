import { nanoid } from 'nanoid';
import type { Logger } from 'pino';
import { HostedWorlds, type HostedOptions } from '../../sandbox/hosted-worlds.js';
import { resolveVersion, versions } from '../../contract/versions/versions.js';
import type { Answer } from '../listen.js';
import type { HostingCounts } from '../metrics.js';
import { Gate } from './gate.js';
import { Hops, type PlaneName } from './hops.js';
import { MeantWorld } from './meant-world.js';
import { WorkRate } from './work-rate.js';
import type { Lanes } from '../lanes.js';

export interface HostingOptions extends HostedOptions {
  /** What answers a call to a world that this node has. */
  readonly planes: Readonly<Record<PlaneName, Answer>>;
  /** The version of the public API for calls that name none. */
  readonly defaultVersion: string;
  /** How long this node works for each world, in milliseconds a second. */
  readonly workMsPerSecond: number;
  readonly lanes: Lanes;
  /** Gets a line for each call that says how long it took; null where nobody wants to know. */
  readonly timesLog: Logger | null;
  /** Told of what an operator should know. */
  readonly warn: (message: string) => void;
  /** The token that control calls have to carry; null when none is asked for. */
  readonly controlToken: string | null;
}

/** What a node is beside others. */
export interface Hosting {
  /** How many worlds it has now, and what has happened to worlds and calls so far. */
  counts(): HostingCounts;
  /** What answers calls to either plane, here or at another node. */
  readonly planes: Readonly<Record<PlaneName, Answer>>;
  /** Passes no call on any more, and takes no world. */
  close(): Promise<void>;
}

/** Makes a sandbox one of several nodes that share their worlds. */
export async function openHosting({
  planes,
  controlToken,
  workMsPerSecond,
  lanes,
  timesLog,
  warn,
  defaultVersion,
  ...options
}: HostingOptions): Promise<Hosting> {
  const { storage, sandbox, onFault } = options;
  const hops = new Hops(await storage.secret('hop', () => Promise.resolve(nanoid(40))), (urls) => storage.awake(urls));
  const worlds = new HostedWorlds(options);
  const meant = new MeantWorld({ storage, tokens: sandbox.tokens, controlToken });
  const usual = versions.find(({ name }) => name === defaultVersion) ?? versions[0]!;
  const versionOf = (headers: Headers) => resolveVersion(headers.get('x-service-version') ?? undefined, versions, usual).name;
  const gate = new Gate({
    versionOf,
    planes,
    worlds,
    meant,
    hops,
    timesLog,
    warn,
    lanes,
    rate: new WorkRate(workMsPerSecond),
    onFault: (error) => onFault(error, 'a call on its way to its world'),
  });
  return {
    counts: () => ({ owned: worlds.owned, ...worlds.counts, hops: hops.count }),
    planes: {
      public: (request, env) => gate.answer('public', request, env),
      control: (request, env) => gate.answer('control', request, env),
    },
    close: async () => {
      worlds.stop();
      await hops.close();
    },
  };
}
