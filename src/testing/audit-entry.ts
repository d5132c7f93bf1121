import type { AuditEntry } from '../contract/control/audit.js';

/** Returns an entry of the audit log about a reset. */
export const auditEntry = (credential: string, at: string, caller: AuditEntry['caller'] = 'OPERATOR'): AuditEntry => ({
  id: 'ctl_1',
  at,
  caller,
  credential,
  user: null,
  operationId: 'resetWorld',
  method: 'POST',
  path: '/_sandbox/reset',
  world: 'a\0b',
  from: null,
  forwardedFor: null,
  status: 200,
  code: null,
  omitted: 0,
});
