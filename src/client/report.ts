import { answered, defined, type CallOptions, type Control } from './caller.js';
import type { Profile, Report } from './types.js';

/** Options for a report. */
export interface ReportQuery extends CallOptions {
  /** Certification profile: the name of a built-in profile, or your own profile. */
  readonly profile?: string | Profile | undefined;
  /** True if the run is finished: adds findings that need the end of the run, and turns pending items into failures. */
  readonly final?: boolean | undefined;
  /** Minimum severity of findings that fail the report. Default: that of the profile, else `error` */
  readonly failOn?: 'error' | 'warning' | 'never' | undefined;
  /** True if each item in `notProven` fails the report. Default: that of the profile, else false */
  readonly strict?: boolean | undefined;
  /** The judged build: names and values, for example `{ commit: '9fceb02' }`. The report and its signature contain them. */
  readonly subject?: Readonly<Record<string, string>> | undefined;
  /** Real time for which the report counts as evidence, for example `30d`. Default: 30 days */
  readonly validFor?: string | undefined;
  /** Tier of the coverage to show if the profile requires no coverage. Default: `core` */
  readonly tier?: 'core' | 'all' | undefined;
}

/** Format of a report. `jws` is the signed JSON. */
export type ReportFormat = 'markdown' | 'junit' | 'html' | 'jws';

/** Returns a report on the clients of worlds. @param worlds names separated by commas; undefined for all worlds */
export async function reportOf(client: Control, worlds: string | undefined, query: ReportQuery): Promise<Report> {
  return JSON.parse(await reportTextOf(client, worlds, 'json', query)) as Report;
}

/** Returns a report as text. */
export function reportTextOf(
  client: Control,
  worlds: string | undefined,
  format: ReportFormat | 'json',
  { signal = null, profile, final = false, failOn, strict, tier, subject, validFor }: ReportQuery,
): Promise<string> {
  const query = {
    format,
    ...defined({
      world: worlds,
      failOn,
      tier,
      validFor,
      subject:
        subject &&
        Object.entries(subject)
          .map(([name, value]) => `${name}=${value}`)
          .join(','),
    }),
    ...(final ? { final: 'true' as const } : {}),
    ...(strict === undefined ? {} : { strict: strict ? ('true' as const) : ('false' as const) }),
  };
  const parseAs = 'text';
  if (typeof profile === 'object') return answered(client.POST('/_sandbox/report', { params: { query }, body: profile, parseAs, signal }));
  const params = { query: profile === undefined ? query : { ...query, profile } };
  return answered(client.GET('/_sandbox/report', { params, parseAs, signal }));
}
