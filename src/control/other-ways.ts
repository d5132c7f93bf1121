import type { OtherWay } from '../web/unrouted.js';

const read = ['GET', 'HEAD'];
/** Lists under `/_sandbox` without a route for one item, with the payments API's route for it, if there is one. */
const listed = [
  ['operations', 'operationId', 'GET /api/operations/{operationId}'],
  ['beneficiaries', 'beneficiaryId', 'GET /api/beneficiaries/{beneficiaryId}'],
  ['quotes', 'quoteId', undefined],
  ['documents', 'documentId', undefined],
  ['deliveries', 'deliveryId', undefined],
] as const;

/** Requests that clients may expect of the control API, each with its equivalent. */
export const otherWays: readonly OtherWay[] = [
  ...listed.map(([name, id, own]): OtherWay => {
    const filtered = `GET /_sandbox/${name}?filters=id[eq]={${id}}`;
    return {
      methods: read,
      path: `/_sandbox/${name}/{${id}}`,
      instead: `${own === undefined ? filtered : `${own}, or ${filtered},`} shows it.`,
    };
  }),
  {
    methods: read,
    path: '/_sandbox/inbox/{inboxName}',
    instead: 'GET /_sandbox/inbox/{inboxName}/messages lists the received messages.',
  },
];
