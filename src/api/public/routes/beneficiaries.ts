import { beneficiaryDays } from '../../../contract/public/beneficiaries.js';
import { beneficiaryView, instructionView } from '../../../domain/payees/beneficiary.js';
import { createBeneficiary } from '../../../services/payees/create-beneficiary.js';
import { rendered } from '../../plane/rendered.js';
import type { PublicPlane } from '../plane.js';
import { createBeneficiaryRoute, getBeneficiaryRoute } from '../../../contract/public/routes/beneficiaries.js';

export function serveBeneficiaries(plane: PublicPlane): void {
  plane.serveWrite(
    createBeneficiaryRoute,
    (uow, { body }) => {
      const { beneficiary, instruction } = createBeneficiary(uow, body);
      return { ...beneficiaryView(beneficiary), paymentInstruction: instructionView(instruction) };
    },
    (world) => beneficiaryDays(world.today()),
  );
  plane.serveRead(getBeneficiaryRoute, (view, { params }) =>
    rendered(view.require('beneficiaries', params.beneficiaryId, 'beneficiary'), beneficiaryView),
  );
}
