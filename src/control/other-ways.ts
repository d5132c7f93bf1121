import type { OtherWay } from '../web/unrouted.js';

const read = ['GET', 'HEAD'];
/** What is listed but has no route of its own, by its place under `/_sandbox`, with the API's route for one if there is any. */
const listed = [
  ['operations', 'operationId', 'GET /api/operations/{operationId}'],
  ['beneficiaries', 'beneficiaryId', 'GET /api/beneficiaries/{beneficiaryId}'],
  ['quotes', 'quoteId', undefined],
  ['documents', 'documentId', undefined],
  ['deliveries', 'deliveryId', undefined],
] as const;

/** Calls that one expects of the control plane, each with the way that exists. */
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
    instead: 'GET /_sandbox/inbox/{inboxName}/messages lists what has arrived there.',
  },
];
