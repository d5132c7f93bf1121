import { onePage } from '../../../domain/lists/page.js';
import { ruleProblems } from '../../../scenario/problems.js';
import { addFault, removeFault } from '../../../services/steering/faults.js';
import type { FaultRecord } from '../../../world/rows.js';
import { faultRuleId } from '../../../scenario/compile.js';
import type { View } from '../../../world/view.js';
import type { ControlPlane } from '../plane.js';
import { controlStatusProblems, effectWarnings } from '../effect-warnings.js';
import { rejectProblems, warningTexts } from '../mistakes.js';
import { listFaultsRoute, createFaultRoute, deleteFaultRoute } from '../../../contract/control/routes/faults.js';

function faultView(view: View, { id, request, createdAt }: FaultRecord) {
  const { seen, hits } = view.get('ruleCounts', faultRuleId(id)) ?? { seen: 0, hits: 0 };
  return { id, ...request, createdAt, matches: seen, hits };
}

export function serveFaults(plane: ControlPlane): void {
  plane.serve(listFaultsRoute, ({ session }) =>
    session.read((view) => onePage([...view.rows('faults')].map((fault) => faultView(view, fault)))),
  );
  plane.serve(createFaultRoute, ({ body, session }) => {
    rejectProblems([], [...ruleProblems(body), ...controlStatusProblems(body)]);
    const warnings = warningTexts(effectWarnings(body));
    return session.commit((uow) => ({ ...faultView(uow, addFault(uow, body)), ...(warnings.length > 0 ? { warnings } : {}) }));
  });
  plane.serve(deleteFaultRoute, ({ params: { faultId }, session }) => session.commit((uow) => removeFault(uow, { faultId })));
}
