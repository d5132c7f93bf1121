import { ForceRequestSchema } from '../forcing.js';
import { kindSchemas } from '../kind-schemas.js';
import { SegmentChoiceSchema } from '../segments.js';
import { AccountSchema } from '../../public/accounts.js';
import { PaymentSchema } from '../../public/deposits.js';
import { OperationSchema } from '../../public/operations.js';
import type { Command } from '../../shared/command.js';
import { kindNames, kindOf } from '../../shared/kinds.js';
import { AccountParams, OperationParams } from '../../shared/path-params.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Forcing';

const camelCase = (verb: string) => verb.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());

/** Examples of the commands that force operations. Each runs in a world with a new operation. */
const operationExamples: Readonly<Record<string, Command['examples']>> = {
  complete: [
    'crossborder-sandbox complete @last',
    'crossborder-sandbox complete @last --json',
    'crossborder-sandbox get operations --filter "currentState.status[eq]=REQUESTED" --quiet | crossborder-sandbox complete -',
  ],
  fail: [
    'crossborder-sandbox fail @last',
    'crossborder-sandbox fail @last --reason LIMIT_EXCEEDED',
    'crossborder-sandbox fail @last --reason BENEFICIARY_BANK_REJECTED --message "The account is closed."',
  ],
  process: [
    'crossborder-sandbox process @last',
    'crossborder-sandbox process @last --quiet',
    'crossborder-sandbox process @last && crossborder-sandbox complete @last',
  ],
  hold: [
    'crossborder-sandbox process @last && crossborder-sandbox hold @last',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last --reason COMPLIANCE_REVIEW',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last && crossborder-sandbox resume @last',
  ],
  'require-action': [
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last',
    `crossborder-sandbox process @last && crossborder-sandbox require-action @last --reason ADDITIONAL_INFORMATION_REQUIRED --details '{"document":"INVOICE"}'`,
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last && crossborder-sandbox resume @last',
  ],
  resume: [
    'crossborder-sandbox process @last && crossborder-sandbox hold @last && crossborder-sandbox resume @last',
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last && crossborder-sandbox resume @last --json',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last --quiet | crossborder-sandbox resume -',
  ],
  next: [
    'crossborder-sandbox next @last',
    'crossborder-sandbox next @last --json',
    'crossborder-sandbox next @last && crossborder-sandbox next @last',
  ],
};

/** Returns the command that forces an operation. */
function operationCommand(verb: string): Command {
  return {
    verb,
    group: 'force',
    args: [{ name: 'id', field: 'operationId', idOf: 'operation' }],
    takesReason: true,
    examples: operationExamples[verb]!,
    line: 'OPERATION {id} {currentState.status}',
    id: '{id}',
  };
}

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
      client: `${noun.charAt(0).toLowerCase()}${noun.slice(1)}.${camelCase(verb)}(reason?)`,
      ...(kind === 'OPERATION' ? { cli: operationCommand(verb) } : {}),
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
  cli: {
    verb: 'pay',
    group: 'force',
    summary: 'Pay a deposit.',
    args: [
      { name: 'id', field: 'operationId', idOf: 'deposit' },
      { name: 'amount', field: 'amount', meaning: "Amount in the quote's source asset. Default: the quoted amount.", isOptional: true },
    ],
    examples: ['crossborder-sandbox pay @last', 'crossborder-sandbox pay @last 99.00', 'crossborder-sandbox pay @last --json'],
    line: 'OPERATION {id} {currentState.status}',
    id: '{id}',
  },
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
  client: 'account.segment(segment)',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const allForcingRoutes = [...forcingRoutes.map(({ route }) => route), payOperationRoute, putSegmentRoute] as const;
