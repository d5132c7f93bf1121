import { nanoid } from 'nanoid';
import type { Logger } from 'pino';
import { HostedWorlds, type HostedOptions } from '../../sandbox/hosted-worlds.js';
import { resolveVersion, versionNamed, versions } from '../../contract/versions/versions.js';
import type { RequestHandler } from '../listen.js';
import type { HostingCounts } from '../metrics.js';
import { WorldRouter } from './world-router.js';
import { NodeProxy, type PlaneName } from './node-proxy.js';
import { WorldResolver } from './world-resolver.js';
import { WorkRateLimiter } from './work-rate-limiter.js';
import type { Lanes } from '../lanes.js';

export interface HostingOptions extends HostedOptions {
  /** Handlers of requests to worlds of this node. */
  readonly planes: Readonly<Record<PlaneName, RequestHandler>>;
  /** Default version of the public API. */
  readonly defaultVersion: string;
  /** Maximum working time for each world, in milliseconds per second. */
  readonly workMsPerSecond: number;
  readonly lanes: Lanes;
  /** Log for the durations of each request; null if they are not logged. */
  readonly timesLog: Logger | null;
  /** Called with warnings for the operator. */
  readonly warn: (message: string) => void;
  /** Token that control requests must send; null if none is required. */
  readonly controlToken: string | null;
}

/** A node that shares worlds with other nodes. */
export interface Hosting {
  /** Returns the number of owned worlds, and the counts for metrics since the start. */
  counts(): HostingCounts;
  /** Handlers of requests to each API, which forward requests for worlds of other nodes. */
  readonly planes: Readonly<Record<PlaneName, RequestHandler>>;
  /** Stops forwarding requests and acquiring worlds. */
  close(): Promise<void>;
}

/** Makes a sandbox one of several nodes that share worlds. */
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
  const { storage, sandbox, onInternalError } = options;
  const hops = new NodeProxy(await storage.secret('hop', () => Promise.resolve(nanoid(40))), (urls) => storage.awake(urls));
  const worlds = new HostedWorlds(options);
  const meant = new WorldResolver({ storage, tokens: sandbox.tokens, controlToken });
  const usual = versionNamed(versions, defaultVersion);
  const versionOf = (headers: Headers) => resolveVersion(headers.get('x-service-version') ?? undefined, versions, usual).name;
  const worldRouter = new WorldRouter({
    versionOf,
    planes,
    worlds,
    meant,
    hops,
    timesLog,
    warn,
    lanes,
    rate: new WorkRateLimiter(workMsPerSecond),
    onInternalError: (error) => onInternalError(error, 'request to a shared world'),
  });
  return {
    counts: () => ({ owned: worlds.owned, ...worlds.counts, hops: hops.count }),
    planes: {
      public: (request, env) => worldRouter.answer('public', request, env),
      control: (request, env) => worldRouter.answer('control', request, env),
    },
    close: async () => {
      worlds.stop();
      await hops.close();
    },
  };
}
