import { validate as isCnpj } from 'stdnum/lib/cjs/br/cnpj.js';
import { validate as isCpf } from 'stdnum/lib/cjs/br/cpf.js';
import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';
import { startOf } from '../../../../../contract/shared/messages/cut.js';

const candidate = /[0-9]{11}|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9]{2}\.[0-9]{3}\.[0-9]{3}/;

/** True if a string is a Brazilian tax id. */
const isTaxId = (text: string) => text.length <= 18 && (isCpf(text).isValid || isCnpj(text).isValid);

export const personalInUrl = defineRule({
  id: 'personal.in-url',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A URL contained the tax id of a person or company',
  advice: 'URLs are stored in logs and proxies. Search by the id of the resource, and keep personal data in request bodies.',
  implies: ['request.unknown-parameter', 'request.unknown-route'],
  examples: {
    invalid: [ask('listAccounts', { query: '_taxId=31415926590' })],
    valid: [ask('listAccounts', { query: '_orderId=31415926591' })],
  },
  create({ report }) {
    return {
      exchange(call) {
        const { target, path, query } = call.record;
        if (!candidate.test(target)) return;
        const inQuery = query.find(([, value]) => isTaxId(value));
        const inPath = inQuery === undefined && path.split('/').some(isTaxId);
        if (inQuery === undefined && !inPath) return;
        const what =
          inQuery === undefined
            ? 'The path of the request contains a tax id.'
            : `The query parameter ${startOf(inQuery[0], 40)} contains a tax id.`;
        report({ ...call.place, evidence: [{ ref: call.id, what }] });
      },
    };
  },
});
