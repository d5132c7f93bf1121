/**
 * The parts of the page that few visits need. They are one module, loaded when the first of them is opened: with a module for each, the build
 * would divide the page into dozens of files, which delay its start.
 */
export { AccountPane } from './accounts/account-pane.js';
export { Accounts } from './accounts/accounts.js';
export { Beneficiaries, BeneficiaryPane } from './beneficiaries/beneficiaries.js';
export { CellPane } from './coverage/cell-pane.js';
export { Coverage } from './coverage/coverage.js';
export { Faults } from './scenarios/faults.js';
export { FindingPane } from './findings/finding-pane.js';
export { Findings } from './findings/findings.js';
export { Inbox } from './inbox/inbox.js';
export { Ledger } from './ledger/ledger.js';
export { Operations } from './operations/operations.js';
export { OperationPane } from './operations/operation-pane.js';
export { Commands } from './palette.js';
export { Replay } from './replay/replay.js';
export { RowPane } from './replay/row-pane.js';
export { Report } from './report/report.js';
export { Scenarios } from './scenarios/scenarios.js';
export { TryIt } from './try-it/try-it.js';
export { DeliveryPane } from './webhooks/delivery-pane.js';
export { Webhooks } from './webhooks/webhooks.js';
export { Worlds } from './worlds/worlds.js';
