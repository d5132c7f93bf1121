import { mistakeText, type FileMistake, type ScenarioFile } from '../contract/control/scenario-files.js';
import type { Scenario } from '../contract/scenario/scenario.js';
import { maxErrorItems } from '../contract/shared/errors.js';
import { DomainError, notFound } from '../domain/errors.js';
import type { Interruptible } from '../domain/interruptible.js';
import { compileScenario, compileInSteps, type CompiledScenario } from './compile.js';
import type { ScenarioProblem } from './problems.js';
import { chainProblem, resolveVersions, type ReadFile, type ResolvedScenarios } from './versions.js';

/** All scenarios by name, with their files. The whole set can be replaced while worlds use it. */
export class ScenarioCatalogue {
  #resolved: ResolvedScenarios = { versions: new Map(), files: [] };
  #scenarios: ReadonlyMap<string, Scenario> = new Map();
  #readAt = '';
  #compiled = new Map<string, CompiledScenario>();
  /** Compiled inline scenarios, which single worlds use. */
  #inline = new WeakMap<Scenario, CompiledScenario>();

  /** @param readAt real time at which the files were read */
  constructor(files: readonly ReadFile[], readAt: string) {
    this.replace(files, readAt);
  }

  /** Real time at which the files were last read. */
  get readAt(): string {
    return this.#readAt;
  }

  get all(): Iterable<Scenario> {
    return this.#scenarios.values();
  }

  /** The status of all files, including deleted ones whose scenarios are in use. */
  get files(): readonly ScenarioFile[] {
    return this.#resolved.files;
  }

  /** Returns a scenario, which is compiled on first use; undefined if not found. */
  get(name: string): CompiledScenario | undefined {
    let compiled = this.#compiled.get(name);
    const scenario = this.#scenarios.get(name);
    if (!compiled && scenario) this.#compiled.set(name, (compiled = compileScenario(inheritanceChain(scenario, this.#scenarios))));
    return compiled;
  }

  /** Compiles a scenario for {@link get}, as work that can be paused. Does nothing without such a scenario. */
  *prepare(name: string): Interruptible<void> {
    const compiled = this.#compiled;
    const scenario = this.#scenarios.get(name);
    if (scenario && !compiled.has(name)) compiled.set(name, yield* compileInSteps(inheritanceChain(scenario, this.#scenarios)));
  }

  /** Compiles an inline scenario with valid ancestors for {@link inline}, as work that can be paused. */
  *prepareInline(scenario: Scenario): Interruptible<void> {
    const inline = this.#inline;
    inline.set(scenario, yield* compileInSteps(inheritanceChain(scenario, this.#scenarios)));
  }

  /**
   * Checks that a world can select a scenario.
   * @throws DomainError RESOURCE_NOT_FOUND; SCENARIO_INVALID if its file has errors, even if an older version is in use
   */
  check(name: string): void {
    const mistakes = this.#mistakesOf(name);
    if (mistakes.length > 0) {
      const more = mistakes.length === 1 ? '' : ` (and ${mistakes.length - 1} more)`;
      throw new DomainError('SCENARIO_INVALID', `The file of scenario ${name} has errors: ${mistakeText(mistakes[0]!)}${more}`, {
        name,
        errors: mistakes.slice(0, maxErrorItems),
      });
    }
    if (this.#scenarios.has(name)) return;
    const error = notFound('scenario', { name }, this.#scenarios.keys());
    if ('nearest' in error.details) throw error;
    throw new DomainError(error.code, `${error.message} Available: ${[...this.#scenarios.keys()].toSorted().join(', ')}.`, error.details);
  }

  /** Replaces all files. @param users a user of each scenario in use (for example a world), by scenario name; used scenarios remain */
  replace(files: readonly ReadFile[], readAt: string, users: ReadonlyMap<string, string> = new Map()): void {
    this.#readAt = readAt;
    this.#resolved = resolveVersions(files, this.#resolved.versions, readAt, users);
    this.#scenarios = new Map([...this.#resolved.versions].map(([name, { scenario }]) => [name, scenario]));
    this.#compiled = new Map();
    this.#inline = new WeakMap();
  }

  /** Returns the compiled inline scenario of a world. If an ancestor was deleted, only the scenario's own rules apply. */
  inline(scenario: Scenario): CompiledScenario {
    let compiled = this.#inline.get(scenario);
    if (!compiled) {
      const isWhole = chainProblem(scenario, this.#scenarios) === null;
      compiled = compileScenario(isWhole ? inheritanceChain(scenario, this.#scenarios) : [scenario]);
      this.#inline.set(scenario, compiled);
    }
    return compiled;
  }

  /** Returns the problem with the ancestors of an inline scenario, or null. */
  inlineProblem(scenario: Scenario): ScenarioProblem | null {
    return chainProblem(scenario, this.#scenarios);
  }

  /**
   * Compiles a scenario as if a file of the catalogue contained it, as work that can be paused. Returns the problem with its ancestors if
   * there is one.
   */
  *candidate(scenario: Scenario): Interruptible<ScenarioProblem | CompiledScenario> {
    const known = new Map([...this.#scenarios, [scenario.scenario, scenario]]);
    return chainProblem(scenario, known) ?? (yield* compileInSteps(inheritanceChain(scenario, known)));
  }

  #mistakesOf(name: string): FileMistake[] {
    return this.#resolved.files.flatMap((each) => (each.scenario === name ? each.errors : []));
  }
}

/** Returns a scenario and its ancestors. All of them must exist. */
function inheritanceChain(scenario: Scenario, known: ReadonlyMap<string, Scenario>): [Scenario, ...Scenario[]] {
  const parent = scenario.extends === undefined ? undefined : known.get(scenario.extends);
  return [scenario, ...(parent ? inheritanceChain(parent, known) : [])];
}
