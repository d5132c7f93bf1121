import { afterEach, beforeEach } from 'vitest';
import type { RunningServer } from '../server/server.js';
import { startNode } from './nodes.js';
import { usePostgres } from './postgres.js';

/** Nodes over one PostgreSQL, of which each test has its own on a database of its own. */
export interface Cluster {
  readonly server: ReturnType<typeof usePostgres>['server'];
  /** The database of the nodes, as a URL. */
  readonly database: string;
  /** Those that run, in the order of their start. */
  readonly nodes: readonly RunningServer[];
  /** Starts another one. */
  readonly node: (...flags: string[]) => Promise<RunningServer>;
  /** Stops one of them. */
  readonly stop: (node: RunningServer) => Promise<void>;
}

/** Nodes for the tests of a file, which stop after each. */
export function useCluster(): Cluster {
  const postgres = usePostgres();
  const nodes: RunningServer[] = [];
  let database = '';
  beforeEach(async () => {
    database = await postgres.server.database();
  });
  afterEach(() => Promise.all(nodes.splice(0).map((each) => each.close())));
  return {
    nodes,
    get server() {
      return postgres.server;
    },
    get database() {
      return database;
    },
    node: async (...flags) => {
      const started = await startNode(database, ...flags);
      nodes.push(started);
      return started;
    },
    stop: async (node) => {
      await node.close();
      nodes.splice(nodes.indexOf(node), 1);
    },
  };
}
