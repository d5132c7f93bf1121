import { plainCommands } from './plain-commands.js';
import { plainVerb } from './plain-verb.js';
import type { Verb } from './verb.js';
import { completionVerb } from './verbs/completion.js';
import { agentVerbs } from './verbs/agents.js';
import { consoleVerb } from './verbs/console.js';
import { conform } from './verbs/conform.js';
import { demo } from './verbs/demo.js';
import { doctor } from './verbs/doctor.js';
import { exploreVerbs } from './verbs/explore.js';
import { forceVerbs } from './verbs/force.js';
import { accountVerbs } from './verbs/accounts.js';
import { listen } from './verbs/listen.js';
import { logs } from './verbs/logs.js';
import { reconcileVerb } from './verbs/reconcile.js';
import { replayVerbs } from './verbs/replay.js';
import { runVerbs } from './verbs/run.js';
import { scenarioVerbs } from './verbs/scenarios.js';
import { seeVerbs } from './verbs/see.js';
import { signature } from './verbs/signature.js';
import { stateVerbs } from './verbs/state.js';
import { timeVerbs } from './verbs/time.js';
import { verdictVerbs } from './verbs/verdict.js';
import { verify } from './verbs/verify.js';
import { webhookVerbs } from './verbs/webhooks.js';
import { worldVerbs } from './verbs/worlds.js';

/** Returns the commands of a group that send one request. */
const plain = (group: Verb['group']) => plainCommands.filter((each) => each.group === group).map(plainVerb);

const familyOf = ({ name }: Verb) => name.split(' ')[0];

/** Returns commands with those that share their first word next to each other. */
function byFamily(all: readonly Verb[]): Verb[] {
  return [...new Set(all.map(familyOf))].flatMap((family) => all.filter((each) => familyOf(each) === family));
}

/** All commands in display order, except `start`, which is the server itself. */
export const verbs: readonly Verb[] = byFamily([
  demo,
  ...runVerbs,
  consoleVerb,
  doctor,
  completionVerb(() => verbs),
  ...plain('force'),
  ...forceVerbs,
  ...accountVerbs,
  ...timeVerbs,
  ...plain('time'),
  logs,
  ...seeVerbs,
  listen,
  ...webhookVerbs,
  signature,
  ...plain('webhooks'),
  ...worldVerbs,
  ...plain('worlds'),
  ...stateVerbs,
  ...scenarioVerbs,
  ...plain('scenarios'),
  verify,
  reconcileVerb,
  ...verdictVerbs,
  ...plain('verdict'),
  ...exploreVerbs,
  conform,
  ...replayVerbs,
  ...agentVerbs,
]);
