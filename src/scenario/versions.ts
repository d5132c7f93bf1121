import type { FileMistake, ScenarioFile } from '../contract/control/scenario-files.js';
import { maxInheritanceChain, type Scenario } from '../contract/scenario/scenario.js';
import { maxErrorItems } from '../contract/shared/errors.js';
import type { ScenarioProblem } from './problems.js';

/** A scenario file after parsing. */
export interface ReadFile {
  readonly file: string;
  /** The name of the scenario; set even if the file has errors. */
  readonly name: string;
  /** Null if the file has errors. */
  readonly scenario: Scenario | null;
  readonly mistakes: readonly FileMistake[];
  /**
   * Converts a problem that depends on other files, for example a missing parent, into an error with a position in this file.
   * @param before number of problems before this one. Only the first problems get a suggestion of a name, because the search is slow. Default: 0
   */
  mistake(problem: ScenarioProblem, before?: number): FileMistake;
}

/** A valid scenario, its file, and the real time at which the file was read. */
export interface Version {
  readonly scenario: Scenario;
  readonly file: string;
  readonly loadedAt: string;
}

/** The available scenarios, and the status of each file. */
export interface ResolvedScenarios {
  readonly versions: ReadonlyMap<string, Version>;
  readonly files: readonly ScenarioFile[];
}

/**
 * Determines the available scenarios. If several files have one scenario name, the last file counts. If a file has errors, or was deleted
 * while its scenario is in use, the previous version stays.
 * @param before the scenarios available until now
 * @param users a user of each scenario in use, by scenario name
 */
export function resolveVersions(
  files: readonly ReadFile[],
  before: ReadonlyMap<string, Version>,
  loadedAt: string,
  users: ReadonlyMap<string, string>,
): ResolvedScenarios {
  const versions = new Map<string, Version>();
  const late = new Map<ReadFile, FileMistake[]>();
  for (const { file, name, scenario } of files) {
    const version = scenario ? { scenario, file, loadedAt } : before.get(name);
    if (version) versions.set(name, version);
  }
  const gone: ScenarioFile[] = [];
  for (const [name, user] of withAncestors(users, before)) {
    const version = before.get(name);
    if (versions.has(name) || !version) continue;
    versions.set(name, version);
    gone.push({ file: version.file, scenario: name, loadedAt: version.loadedAt, errors: [goneMistake(version.file, name, user)] });
  }
  dropOrphans();
  const shown = files.map((read): ScenarioFile => {
    const version = versions.get(read.name);
    const mistakes = [...read.mistakes, ...(late.get(read) ?? [])].slice(0, maxErrorItems);
    return { file: read.file, scenario: read.name, loadedAt: version?.file === read.file ? version.loadedAt : null, errors: mistakes };
  });
  return { versions, files: [...shown, ...gone] };

  /** Replaces versions with missing or cyclic ancestors by their previous versions, or removes them, until all are valid. */
  function dropOrphans(): void {
    const scenarios = new Map([...versions].map(([name, { scenario }]) => [name, scenario]));
    for (let isWhole = false; !isWhole;) {
      isWhole = true;
      for (const [name, version] of versions) {
        const problem = chainProblem(version.scenario, scenarios);
        if (!problem) continue;
        isWhole = false;
        const read = files.find((each) => each.scenario === version.scenario);
        if (read) late.set(read, [...(late.get(read) ?? []), read.mistake(problem, late.size)]);
        const last = before.get(name);
        if (last && last !== version) {
          versions.set(name, last);
          scenarios.set(name, last.scenario);
        } else {
          versions.delete(name);
          scenarios.delete(name);
        }
      }
    }
  }
}

/** Returns a user of each scenario in use and of each of its ancestors, by scenario name. */
function withAncestors(users: ReadonlyMap<string, string>, known: ReadonlyMap<string, Version>): Map<string, string> {
  const all = new Map(users);
  for (const name of all.keys()) {
    const parent = known.get(name)?.scenario.extends;
    if (parent !== undefined && !all.has(parent)) all.set(parent, `scenario ${name}, which extends it,`);
  }
  return all;
}

function goneMistake(file: string, name: string, user: string): FileMistake {
  const expected = `expected scenario ${name} to stay, because ${user} uses it`;
  return { file, line: 1, column: 1, message: `the file: ${expected}; the file was deleted`, expected };
}

/** Returns the problem with the ancestors of a scenario; null if there is none. */
export function chainProblem(scenario: Scenario, known: ReadonlyMap<string, Scenario>): ScenarioProblem | null {
  const seen: Scenario[] = [];
  for (let each: Scenario | undefined = scenario; each; each = each.extends === undefined ? undefined : known.get(each.extends)) {
    if (seen.includes(each)) {
      const circle = [...seen, each].map(({ scenario: name }) => name).join(' -> ');
      return { path: ['extends'], expected: `a parent that does not extend this scenario; got the cycle ${circle}` };
    }
    seen.push(each);
    if (seen.length > maxInheritanceChain)
      return { path: ['extends'], expected: `a chain of at most ${maxInheritanceChain} scenarios, each of which extends the next` };
    if (each.extends !== undefined && !known.has(each.extends))
      return {
        path: ['extends'],
        expected: `the name of an available scenario (${[...known.keys()].join(', ')}); got "${each.extends}"`,
        misspelt: { name: each.extends, known: known.keys() },
      };
  }
  return null;
}
