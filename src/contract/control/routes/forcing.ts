import { ForceRequestSchema } from '../forcing.js';
import { kindSchemas } from '../kind-schemas.js';
import { SegmentChoiceSchema } from '../segments.js';
import { AccountSchema } from '../../public/accounts.js';
import { PaymentSchema } from '../../public/deposits.js';
import { OperationSchema } from '../../public/operations.js';
import { kindNames, kindOf } from '../../shared/kinds.js';
import { AccountParams, OperationParams } from '../../shared/path-params.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Forcing';

const camelCase = (verb: string) => verb.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());

/** The routes that force a resource into a status, each with its kind. */
export const forcingRoutes = kindNames.flatMap((kind) => {
  const { noun, path, verbs } = kindOf(kind);
  const { params, response } = kindSchemas[kind];
  return verbs.map(({ verb, to, onlyFrom, summary, description }) => ({
    kind,
    verb,
    to,
    onlyFrom,
    route: defineRoute({
      operationId: `${camelCase(verb)}${noun}`,
      method: 'post',
      path: `/_sandbox/${path}/${verb}`,
      tag,
      summary,
      description,
      params,
      body: ForceRequestSchema,
      status: 200,
      response,
      errors: ['INVALID_STATUS_CHANGE'],
    }),
  }));
});

export const payOperationRoute = defineRoute({
  operationId: 'payOperation',
  method: 'post',
  path: '/_sandbox/operations/{operationId}/pay',
  tag,
  summary: 'Simulate the payment of a deposit',
  description: 'If the amount differs from the quote, the deposit becomes ON_HOLD with AMOUNT_MISMATCH. A deposit can be paid once.',
  params: OperationParams,
  body: PaymentSchema,
  status: 200,
  response: OperationSchema,
  errors: ['INVALID_AMOUNT_PRECISION', 'INVALID_STATUS_CHANGE'],
});

export const putSegmentRoute = defineRoute({
  operationId: 'putSegment',
  method: 'put',
  path: '/_sandbox/accounts/{accountId}/segment',
  tag,
  summary: 'Change the segment of a company account',
  description:
    'Possible while the account is ACTION_REQUIRED or REVIEWING. Its requirements become those of the new segment: requirements that both segments have stay, ' +
    'other documents of the company are removed or added.',
  params: AccountParams,
  body: SegmentChoiceSchema,
  status: 200,
  response: AccountSchema,
  errors: ['ACCOUNT_NOT_MODIFIABLE'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const allForcingRoutes = [...forcingRoutes.map(({ route }) => route), payOperationRoute, putSegmentRoute] as const;
