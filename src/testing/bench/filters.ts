import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { accountFilters, type AccountRecord } from '../../domain/accounts/account.js';
import { parseFilter } from '../../domain/lists/filter.js';
import { quantile, rowOf, type Row } from './row.js';
import { LoadClients, type LoadRequest } from '../load.js';
import { companyRequest, individualRequest } from '../onboarding.js';
import { call, SandboxProcess, tokenFor } from '../process.js';
import { worstFilters } from './worst-filters.js';

const accounts = 10_000;
const rounds = 15;
const names = ['Aurora', 'Comércio', 'Nimbus', 'e Filhos', 'Borealis', 'Trading', 'Holdings'];

/** Returns the body of request number `index`: companies and individuals alternate, with distinct names and tags. */
function accountRequest(index: number) {
  const name = `${names[index % 7]} ${names[Math.floor(index / 7) % 7]} ${index}`;
  const request =
    index % 2 === 0
      ? companyRequest({ legalName: `${name} Ltda` }, [{ code: 'BRL' }, { code: 'USD' }])
      : individualRequest({ lastName: name }, [{ code: 'BRL' }]);
  return { ...request, tags: [{ key: 'segment', value: `retail ${index % 3000}` }] };
}

/**
 * Measures the most expensive filters on a list of ten thousand accounts, none of which passes: the time of the whole response, compared
 * with parsing and evaluating alone, and the longest wait of another client.
 */
export async function measureFilters(): Promise<Row[]> {
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error', '--scenario', 'manual']);
  const authorization = `Bearer ${await tokenFor(sandbox.url)}`;
  const post = (body: object): LoadRequest => ({
    method: 'POST',
    path: '/api/accounts',
    headers: { authorization, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  const filling = await LoadClients.open(sandbox.url, 64);
  let made = 0;
  await filling.send(accounts, () => post(accountRequest(made++)));
  filling.close();
  const list = async (query: string) => (await call(sandbox.url, 'GET', `/api/accounts?${query}`, { headers: { authorization } })).body;

  /** Measures the response time of a list whose filter matches no account, in milliseconds. */
  const answerMs = async (filter: string) => {
    const startedMs = performance.now();
    const { data } = await list(`filters=${encodeURIComponent(filter)}`);
    if (data.length > 0) throw new Error(`Accounts pass: ${filter}`);
    return performance.now() - startedMs;
  };

  /** Measures the longest wait of another client for a short list during some work, in milliseconds. */
  const longestWaitMs = async (underWay: Promise<unknown>) => {
    let longest = 0;
    const state = { isOver: false };
    void underWay.then(() => (state.isOver = true));
    while (!state.isOver) {
      const startedMs = performance.now();
      await list('limit=1');
      longest = Math.max(longest, performance.now() - startedMs);
    }
    return longest;
  };

  // A filter reads only fields that a client can see.
  const items: AccountRecord[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, meta } = await list(`limit=100&cursor=${cursor}`);
    items.push(...(data as AccountRecord[]));
    cursor = meta.nextCursor as string | null;
  }
  const rows: Row[] = [];
  const [waits, calm]: [number[], number[]] = [[], []];
  for (const [what, filter] of Object.entries(worstFilters(accountFilters))) {
    const [answers, judging]: [number[], number[]] = [[], []];
    for (let round = -2; round < rounds; round += 1) {
      const answeredMs = await answerMs(filter);
      const startedMs = performance.now();
      const passed = items.filter(parseFilter(filter, accountFilters));
      const judgedMs = performance.now() - startedMs;
      if (passed.length > 0 || items.length < accounts) throw new Error(`Accounts pass, or are not there: ${filter}`);
      if (round < 0) continue; // Warm-up.
      answers.push(answeredMs);
      judging.push(judgedMs);
    }
    rows.push(rowOf(0, `list ${items.length} accounts by ${what}, ms (against: judging alone)`, answers, judging));
    for (let round = 0; round < 3; round += 1) {
      waits.push(await longestWaitMs(answerMs(filter)));
      calm.push(await longestWaitMs(wait(quantile(answers))));
    }
  }
  rows.push(rowOf(0, 'longest wait of another client next to such a list, ms (against: without one)', waits, calm));
  await sandbox.end('SIGTERM');
  return rows;
}
