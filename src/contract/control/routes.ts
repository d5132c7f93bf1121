import { getStatus, listKinds } from './routes/status.js';
import { live, ready } from './routes/health.js';
import { listWorlds, createWorld, getWorld, putWorld, deleteWorld, resetWorld } from './routes/worlds.js';
import { getClock, putClock, advanceClock, listTimers } from './routes/clock.js';
import { forcingRoutes, payOperation, putSegment } from './routes/forcing.js';
import { getAccount, creditAccountRoute, debitAccountRoute, listLedger, listQuotes, expireQuoteRoute } from './routes/books.js';
import { listOperations, listWorldAccounts, listBeneficiaries, listDocuments, listWorldSubscriptions } from './routes/lists.js';
import { listScenarios, getScenario, putScenario, checkScenario } from './routes/scenarios.js';
import {
  fireEventRoute,
  listDeliveries,
  getDelivery,
  flushDeliveries,
  resendDeliveryRoute,
  deleteSubscriptionRoute,
  probeSubscription,
} from './routes/deliveries.js';
import { checkSignature } from './routes/signatures.js';
import { postToInbox, listInboxMessages, awaitInboxMessages, getInboxResponses, putInboxResponses } from './routes/inboxes.js';
import { postToListener, listenToAttempts, answerAttempt } from './routes/listeners.js';
import { listFaults, createFault, deleteFault } from './routes/faults.js';
import { getCoverage } from './routes/mirror/coverage.js';
import { getReport, postReport } from './routes/mirror/report.js';
import { listFindings, clearFindings, expectFinding } from './routes/mirror/findings.js';
import { getState, putState, listSnapshots, createSnapshot, restoreSnapshot, deleteSnapshotRoute } from './routes/state.js';
import { getStream } from './routes/mirror/stream.js';
import { getWhy, awaitRoutes } from './routes/waiting.js';
import { listRequests, getRequest, deleteRequests, putTest, deleteTest, verifyRequests } from './routes/mirror/record.js';
import { getSettings, putSettings } from './routes/settings.js';
import type { AnyRoute } from '../shared/route.js';

/** The operations of the control plane, in the order of its document. */
export const controlRoutes = [
  getStatus,
  listKinds,
  live,
  ready,
  listWorlds,
  createWorld,
  getWorld,
  putWorld,
  deleteWorld,
  resetWorld,
  getClock,
  putClock,
  advanceClock,
  listTimers,
  ...forcingRoutes.map(({ route }) => route),
  payOperation,
  putSegment,
  getAccount,
  creditAccountRoute,
  debitAccountRoute,
  listLedger,
  listQuotes,
  expireQuoteRoute,
  listOperations,
  listWorldAccounts,
  listBeneficiaries,
  listDocuments,
  listWorldSubscriptions,
  listScenarios,
  getScenario,
  putScenario,
  checkScenario,
  fireEventRoute,
  listDeliveries,
  getDelivery,
  flushDeliveries,
  resendDeliveryRoute,
  deleteSubscriptionRoute,
  probeSubscription,
  checkSignature,
  postToInbox,
  listInboxMessages,
  awaitInboxMessages,
  getInboxResponses,
  putInboxResponses,
  postToListener,
  listenToAttempts,
  answerAttempt,
  listFaults,
  createFault,
  deleteFault,
  getState,
  putState,
  listSnapshots,
  createSnapshot,
  restoreSnapshot,
  deleteSnapshotRoute,
  listFindings,
  clearFindings,
  expectFinding,
  getCoverage,
  getReport,
  postReport,
  getStream,
  getWhy,
  ...awaitRoutes.map(({ route }) => route),
  listRequests,
  getRequest,
  deleteRequests,
  verifyRequests,
  putTest,
  deleteTest,
  getSettings,
  putSettings,
] as unknown as readonly AnyRoute[];
