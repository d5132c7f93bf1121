import type { OtherWay } from '../plane/unrouted.js';

const read = ['GET', 'HEAD'];
/** Lists under `/_sandbox` without a route for a single item: name, id, and the route of the payments API for an item, if there is one. */
const listed = [
  ['operations', 'operationId', 'GET /api/operations/{operationId}'],
  ['beneficiaries', 'beneficiaryId', 'GET /api/beneficiaries/{beneficiaryId}'],
  ['quotes', 'quoteId', undefined],
  ['documents', 'documentId', undefined],
  ['deliveries', 'deliveryId', undefined],
] as const;

/** Requests that clients may expect although the control API does not have them, each with the equivalent request. */
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
