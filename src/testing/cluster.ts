import { afterEach, beforeEach } from 'vitest';
import type { RunningServer } from '../server/server.js';
import { startNode } from './nodes.js';
import { usePostgres } from './postgres.js';

/** Nodes that share a PostgreSQL database. Each test has its own nodes and database. */
export interface Cluster {
  readonly server: ReturnType<typeof usePostgres>['server'];
  /** The database URL of the nodes. */
  readonly database: string;
  /** The running nodes, in the order of their start. */
  readonly nodes: readonly RunningServer[];
  /** Starts another node. */
  readonly node: (...flags: string[]) => Promise<RunningServer>;
  /** Stops a node. */
  readonly stop: (node: RunningServer) => Promise<void>;
}

/** Provides nodes for the tests of a file; stops them after each test. */
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
