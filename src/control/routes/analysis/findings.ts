import { clearFindingsRoute, expectFindingRoute, listFindingsRoute } from '../../../contract/control/routes/analysis/findings.js';
import { expectedView, findingView } from '../../../analysis/findings/present.js';
import type { ControlPlane } from '../../plane.js';

export function serveFindings(plane: ControlPlane): void {
  const { findings, coverage } = plane.options.analysis;
  plane.serve(listFindingsRoute, ({ query: { generation, hints, final }, session: { world } }) => {
    if (final === 'true') findings.end(world);
    const { book } = findings.runnerOf(world);
    return {
      data: book.list(generation, hints === 'true').map((each) => findingView(world, each)),
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
