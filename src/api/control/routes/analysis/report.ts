import { withoutSecrets } from '../../../../contract/shared/messages/quoted.js';
import type { Context } from 'hono';
import { getReportRoute, postReportRoute } from '../../../../contract/control/routes/analysis/report.js';
import { subjectOf } from '../../../../contract/control/analysis/client.js';
import { putClientRoute } from '../../../../contract/control/routes/analysis/client.js';
import { durationMs } from '../../../../contract/shared/duration.js';
import type { Profile } from '../../../../contract/control/analysis/profile.js';
import type { Tier } from '../../../../contract/control/analysis/coverage.js';
import { notFound } from '../../../../domain/errors.js';
import { checkProfile } from '../../../../analysis/answer/report/check-profile.js';
import { renderings, type Rendering } from '../../../../analysis/answer/report/renderings.js';
import type { FailOn } from '../../../../analysis/answer/report/verdict.js';
import { partnerOf } from '../../partner.js';
import { RawResponse, type ControlPlane } from '../../plane.js';

/** The query parameters of both report operations. */
interface Asked {
  readonly format: keyof typeof renderings | 'jws';
  readonly world?: string | undefined;
  readonly final: 'true' | 'false';
  readonly failOn?: FailOn | undefined;
  readonly strict?: 'true' | 'false' | undefined;
  readonly tier: Tier;
  readonly subject?: string | undefined;
  readonly validFor: string;
}

export function serveReport(plane: ControlPlane): void {
  const { reports, profiles, integration } = plane.options.analysis;
  plane.serve(putClientRoute, ({ body: { name, version = null, commit = null }, session }) => {
    session.check();
    const client = { name: withoutSecrets(name), version: version && withoutSecrets(version), commit: commit && withoutSecrets(commit) };
    integration.nameClient(session.world, client);
    return client;
  });
  const report = async (
    context: Context,
    { format, world, final, failOn, strict, tier, subject, validFor }: Asked,
    profile: Profile | null,
  ) => {
    const own = partnerOf(context);
    const worlds = own !== undefined ? [own] : (world ?? '').split(',').flatMap((each) => each.trim() || []);
    const all = await reports.make({
      worlds,
      profile,
      failOn,
      tier,
      isStrict: strict === undefined ? undefined : strict === 'true',
      isFinal: final === 'true',
      subject: subject === undefined ? null : subjectOf(subject),
      validForMs: durationMs(validFor)!,
      isApart: own !== undefined,
    });
    // Unattributed requests may belong to any world.
    const made = own === undefined ? all : { ...all, unattributed: 0 };
    const { mediaType, headers, render }: Rendering = renderings[format === 'jws' ? 'json' : format];
    const text = render(made, failOn ?? profile?.findings?.failOn ?? 'error');
    const answer = (body: string, more: Readonly<Record<string, string>>) =>
      new RawResponse({ status: 200, body, headers: { 'Cache-Control': 'no-store', ...more } });
    if (format !== 'jws') return answer(text, { 'Content-Type': mediaType, ...headers });
    return answer(await plane.sandbox.tokens.sign(text, 'report+jws'), { 'Content-Type': 'application/jose' });
  };
  plane.serveSandbox(getReportRoute, ({ query, context }) => {
    const { profile: name } = query;
    const profile = name === undefined ? null : profiles().get(name);
    if (profile === undefined) throw notFound('profile', { name }, profiles().keys());
    return report(context, query, profile);
  });
  plane.serveSandbox(postReportRoute, ({ query, body, context }) => {
    checkProfile(body);
    return report(context, query, body);
  });
}
