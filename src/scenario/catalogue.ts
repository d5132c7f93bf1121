import { mistakeText, type FileMistake, type ScenarioFile } from '../contract/control/scenario-files.js';
import type { Scenario } from '../contract/scenario/scenario.js';
import { maxErrorItems } from '../contract/shared/errors.js';
import { DomainError, notFound } from '../domain/errors.js';
import { compileScenario, type CompiledScenario } from './compile.js';
import type { ScenarioFault } from './faults.js';
import { lineageFault, standingOf, type ReadFile, type Standing } from './versions.js';

/** All scenarios by name, and the files they came from. What is loaded can be replaced as a whole, while worlds go on. */
export class ScenarioCatalogue {
  #standing: Standing = { versions: new Map(), files: [] };
  #scenarios: ReadonlyMap<string, Scenario> = new Map();
  #readAt = '';
  #compiled = new Map<string, CompiledScenario>();
  /** Scenarios of single worlds, compiled against what is loaded. */
  #inline = new WeakMap<Scenario, CompiledScenario>();

  /** @param readAt when the files were read, in real time */
  constructor(files: readonly ReadFile[], readAt: string) {
    this.replace(files, readAt);
  }

  /** When the files were read last, in real time. */
  get readAt(): string {
    return this.#readAt;
  }

  get all(): Iterable<Scenario> {
    return this.#scenarios.values();
  }

  /** The files as they stand, those that are gone while their scenarios are in use among them. */
  get files(): readonly ScenarioFile[] {
    return this.#standing.files;
  }

  /** A scenario, compiled when it is first asked for. */
  get(name: string): CompiledScenario | undefined {
    let compiled = this.#compiled.get(name);
    const scenario = this.#scenarios.get(name);
    if (!compiled && scenario) this.#compiled.set(name, (compiled = compileScenario(lineage(scenario, this.#scenarios))));
    return compiled;
  }

  /**
   * Refuses a name that cannot be chosen.
   * @throws DomainError RESOURCE_NOT_FOUND; SCENARIO_INVALID when the file of the scenario has mistakes, whether or not an older version is in force
   */
  check(name: string): void {
    const mistakes = this.#mistakesOf(name);
    if (mistakes.length > 0) {
      const more = mistakes.length === 1 ? '' : ` (and ${mistakes.length - 1} more)`;
      throw new DomainError('SCENARIO_INVALID', `Scenario ${name} has mistakes in its file: ${mistakeText(mistakes[0]!)}${more}`, {
        name,
        mistakes: mistakes.slice(0, maxErrorItems),
      });
    }
    if (this.#scenarios.has(name)) return;
    const refusal = notFound('scenario', { name }, this.#scenarios.keys());
    if ('nearest' in refusal.details) throw refusal;
    throw new DomainError(
      refusal.code,
      `${refusal.message} There is: ${[...this.#scenarios.keys()].toSorted().join(', ')}.`,
      refusal.details,
    );
  }

  /** Puts other files in the place of all; `users` tells who uses a scenario, by its name, and none of these goes away. */
  replace(files: readonly ReadFile[], readAt: string, users: ReadonlyMap<string, string> = new Map()): void {
    this.#readAt = readAt;
    this.#standing = standingOf(files, this.#standing.versions, readAt, users);
    this.#scenarios = new Map([...this.#standing.versions].map(([name, { scenario }]) => [name, scenario]));
    this.#compiled = new Map();
    this.#inline = new WeakMap();
  }

  /** A scenario of a single world, compiled; an ancestor that is gone since leaves it without rules but its own. */
  inline(scenario: Scenario): CompiledScenario {
    let compiled = this.#inline.get(scenario);
    if (!compiled) {
      const isWhole = lineageFault(scenario, this.#scenarios) === null;
      compiled = compileScenario(isWhole ? lineage(scenario, this.#scenarios) : [scenario]);
      this.#inline.set(scenario, compiled);
    }
    return compiled;
  }

  /** What is wrong with the ancestry of a scenario that a request brings along. */
  inlineFault(scenario: Scenario): ScenarioFault | null {
    return lineageFault(scenario, this.#scenarios);
  }

  /** What would come of a scenario as a file among these: what is wrong with its ancestry, or itself, compiled. */
  candidate(scenario: Scenario): ScenarioFault | CompiledScenario {
    const known = new Map([...this.#scenarios, [scenario.scenario, scenario]]);
    return lineageFault(scenario, known) ?? compileScenario(lineage(scenario, known));
  }

  #mistakesOf(name: string): FileMistake[] {
    return this.#standing.files.flatMap((each) => (each.scenario === name ? each.mistakes : []));
  }
}

/** A scenario whose ancestry is whole, and its ancestors. */
function lineage(scenario: Scenario, known: ReadonlyMap<string, Scenario>): [Scenario, ...Scenario[]] {
  const parent = scenario.extends === undefined ? undefined : known.get(scenario.extends);
  return [scenario, ...(parent ? lineage(parent, known) : [])];
}
