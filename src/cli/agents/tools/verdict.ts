import { z } from 'zod';
import { SandboxError } from '../../../client/error.js';
import type { Coverage, Report } from '../../../client/types.js';
import { amountsText } from '../../../contract/shared/messages/amounts.js';
import { findingTimes, findingTitle } from '../../finding-text.js';
import { cutToBytes } from '../text.js';
import { callText, ToolError, tool } from '../tool.js';

type Finding = Report['findings'][number];
type Dimension = keyof Coverage['dimensions'];

/** Maximum number of missing items, of findings, of evidence per finding, and of bytes. */
const limits = { missing: 5, findings: 10, evidence: 2, bytes: 12_000 } as const;

/** The coverage dimensions, most important first: an unhandled fault may cost money, an operation that the client does not call costs none. */
const byValue: readonly Dimension[] = ['resilience', 'outcomes', 'transitions', 'events', 'reasons', 'statuses', 'operations'];

/** An item that is missing, and how to cover it. */
interface Missing {
  readonly what: string;
  readonly how: string;
  /** The coverage item for the tool provoke; undefined without one. */
  readonly item: string | undefined;
}

function findingLines(finding: Finding): string[] {
  const { severity, confidence, rule, advice, evidence, money = [] } = finding;
  const amounts = money.length === 0 ? '' : ` (${amountsText(money)})`;
  return [
    `- ${severity} ${confidence} ${rule}${findingTimes(finding)}: ${findingTitle(finding)}${amounts}`,
    `  Fix: ${advice}`,
    ...evidence.slice(0, limits.evidence).map(({ ref, what }) => `  Evidence ${ref}: ${what}`),
  ];
}

/** Returns the requirements that are not fulfilled, failed ones first. @param known ids of missing coverage items */
function missingOf({ profile }: Report, known: ReadonlySet<string>): Missing[] {
  const open = (profile?.requirements ?? []).filter(({ result }) => result === 'FAILED' || result === 'NOT_COVERED');
  const ordered = [...open.filter(({ result }) => result === 'FAILED'), ...open.filter(({ result }) => result !== 'FAILED')];
  return ordered.map(({ id, result, title, what, how = '', item }) => ({
    what: `${id} ${result} ${title}. ${what}`,
    how,
    item: item !== undefined && known.has(item) ? item : undefined,
  }));
}

/** Returns the missing coverage items of the tier `core`, the most valuable first. */
function missingIn({ dimensions }: Coverage): Missing[] {
  return byValue.flatMap((dimension) =>
    dimensions[dimension].items.map(({ id, state, how = '' }) => ({ what: `${id} ${state} (${dimension})`, how, item: id })),
  );
}

export const verdict = tool(
  'verdict',
  'Judge the client of the world in use. Returns the exit code (0 passed, 1 failed, 4 inconclusive), findings with their fixes, what is not proven, and the five most valuable missing items with instructions. Fix your client, run it, and repeat until the exit code is 0.',
  z.strictObject({
    profile: z.string().max(64).optional().describe('Certification profile: payouts, onboarding, webhooks-only.'),
    final: z.boolean().optional().describe('True if the run has ended: pending results count as failed.'),
    worlds: z.string().max(1000).optional().describe('Names of worlds to judge together, with commas. Default: the world in use.'),
  }),
  async ({ profile, final = false, worlds }, session, signal) => {
    const names = worlds ?? session.worldName;
    const report = await session.sandbox.report(names, { profile, final, signal }).catch((error: unknown) => {
      if (!(error instanceof SandboxError && error.status === 404)) throw error;
      const next = `Profiles are payouts, onboarding and webhooks-only. ${callText('world', { action: 'create' })} makes a world.`;
      throw new ToolError(error.message, next);
    });
    const all = await session.world().coverage({ tier: 'all', missing: true, signal });
    const known = new Set(Object.values(all.dimensions).flatMap(({ items }) => items.map(({ id }) => id)));
    const isCoverageShort =
      report.profile === null || (report.profile.minimum !== null && report.profile.minimum.covered < report.profile.minimum.percent);
    const core = isCoverageShort ? missingIn(await session.world().coverage({ tier: 'core', missing: true, signal })) : [];
    const missing = [...missingOf(report, known), ...core];
    const open = report.findings.filter(({ state, negative }) => state === 'NEW' && !negative);
    const shown = missing.slice(0, limits.missing);
    const lines = [
      `${report.verdict}, exit code ${report.exitCode} (worlds ${names}${profile === undefined ? '' : `, profile ${profile}`}${final ? ', final' : ''})`,
      ...report.why.map((each) => `  ${each}`),
      `Findings to fix: ${open.length}`,
      ...open.slice(0, limits.findings).flatMap(findingLines),
      ...report.notProven.map(
        ({ kind, text, money = [] }) => `Not proven, ${kind}: ${text}${money.length === 0 ? '' : ` ${amountsText(money)}`}`,
      ),
      `Missing: ${missing.length}${missing.length > shown.length ? `, the ${shown.length} most valuable are` : ''}`,
      ...shown.flatMap(({ what, how, item }, index) => [
        `${index + 1}. ${what}`,
        `   How: ${how}`,
        ...(item === undefined ? [] : [`   ${callText('provoke', { item })}`]),
      ]),
      `Next: ${nextOf(report, open.length, shown)}`,
    ];
    return cutToBytes(lines.join('\n'), limits.bytes);
  },
);

function nextOf({ exitCode }: Report, findings: number, [first]: readonly Missing[]): string {
  if (exitCode === 0) return 'nothing; the client passes.';
  if (findings > 0) return 'fix the findings in your client, run it in a new world, and call verdict again.';
  if (first !== undefined) return 'show the first missing item, run your client, and call verdict again.';
  return 'remove the reasons above, run your client, and call verdict again.';
}
