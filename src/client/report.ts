import { answered, defined, type CallOptions, type Control } from './caller.js';
import type { Profile, Report } from './types.js';

/** How to judge what clients did. */
export interface ReportQuery extends CallOptions {
  /** A certification profile to judge by: the name of a shipped one, or one of your own. */
  readonly profile?: string | Profile | undefined;
  /** Whether nothing more comes, so that what only the end shows is found, and what is open has failed. */
  readonly final?: boolean | undefined;
  /** Which findings fail it; what the profile says unless told otherwise, and `error` without one. */
  readonly failOn?: 'error' | 'warning' | 'never' | undefined;
  /** Which coverage to show, where the profile asks for none. */
  readonly tier?: 'core' | 'all' | undefined;
}

/** How a report for people or other programs is written; as a JWS it is the JSON, signed. */
export type ReportFormat = 'markdown' | 'junit' | 'html' | 'jws';

/** Judges what clients did. @param worlds their names, with commas between; all when undefined */
export async function reportOf(client: Control, worlds: string | undefined, query: ReportQuery): Promise<Report> {
  return JSON.parse(await reportTextOf(client, worlds, 'json', query)) as Report;
}

/** The same as a text. */
export function reportTextOf(
  client: Control,
  worlds: string | undefined,
  format: ReportFormat | 'json',
  { signal = null, profile, final = false, failOn, tier }: ReportQuery,
): Promise<string> {
  const query = {
    format,
    ...defined({ world: worlds, failOn, tier }),
    ...(final ? { final: 'true' as const } : {}),
  };
  const parseAs = 'text';
  if (typeof profile === 'object') return answered(client.POST('/_sandbox/report', { params: { query }, body: profile, parseAs, signal }));
  const params = { query: profile === undefined ? query : { ...query, profile } };
  return answered(client.GET('/_sandbox/report', { params, parseAs, signal }));
}
