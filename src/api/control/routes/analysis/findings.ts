import { clearFindingsRoute, expectFindingRoute, listFindingsRoute } from '../../../../contract/control/routes/analysis/findings.js';
import { evidenceReader } from '../../../../analysis/views/evidence.js';
import { isProvoked, type WorldFinding } from '../../../../analysis/project/findings/finding-store.js';
import { expectedView, findingViews } from '../../../../analysis/project/findings/present.js';
import type { ControlPlane } from '../../plane.js';

export function serveFindings(plane: ControlPlane): void {
  const { findings, coverage, record } = plane.options.analysis;
  plane.serve(listFindingsRoute, ({ query: { generation, hints, negative, final }, session: { world } }) => {
    if (final === 'true') findings.end(world);
    const { book } = findings.runnerOf(world);
    const isListed = ({ isNegative, rule }: WorldFinding) => (negative === 'true' ? isNegative : !isProvoked(isNegative, rule.id));
    const found = book.list(generation, hints === 'true').filter(isListed);
    return {
      data: findingViews(book, found, evidenceReader(record, world)),
      expected: book.expectations(generation).map(expectedView),
      omitted: book.omitted,
    };
  });
  plane.serve(clearFindingsRoute, ({ session }) => {
    session.check();
    findings.clear(session.world);
    coverage.clear(session.world);
  });
  plane.serve(expectFindingRoute, ({ body: { rule, count }, session }) => {
    session.check();
    return expectedView(findings.expect(session.world, rule, count));
  });
}
