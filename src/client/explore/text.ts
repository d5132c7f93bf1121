import type { ExplorationResult, Failure } from './result.js';
import { sentenceOf } from './schedule.js';
import { cut } from '../../contract/shared/messages/cut.js';

/** Returns a result as text for people. */
export function textOf(result: ExplorationResult): string {
  return [...headOf(result), ...result.failures.flatMap((failure) => [...failureLines(failure, result), '']), triedLine(result)].join('\n');
}

function headOf({ verdict, unstable }: ExplorationResult): string[] {
  if (verdict === 'UNSTABLE')
    return [
      'UNSTABLE: three runs of the journey without any deviation all differ.',
      ...unstable.map(
        ({ path, expected, found }) => `  ${path} differs: ${valueText(expected)}, then ${valueText(found)}. Pass ignore: ['${path}'].`,
      ),
    ];
  if (verdict === 'NOTHING_TO_EXPLORE') return ['Nothing to explore: the journey has no webhook and no write.'];
  return [];
}

/** Returns the lines about one cause of failures. */
export function failureLines(failure: Failure, { tried }: ExplorationResult): string[] {
  const { deviations, shrunkFrom, schedules, stability, point, differences, effects, money, evidence, how, savedAs } = failure;
  const all = countOf(tried.singles) + countOf(tried.pairs) + tried.triples;
  const shrunk = shrunkFrom.length > deviations.length ? `, shrunk from ${shrunkFrom.length} deviations to ${deviations.length}` : '';
  const [fails = 0, runs = 0] = stability.runs;
  const racy = stability.kind === 'RACY' ? ': a race inside the client' : '';
  const pointText = point === 'AFTER_DELIVERY' ? 'after delivery' : 'after recovery';
  return [
    `${schedules} of ${all} schedules ${schedules === 1 ? 'breaks' : 'break'} the client (${fails} of ${runs} runs${racy})${shrunk}:`,
    ...deviations.map((each) => `  ${sentenceOf(each)}`),
    `  how      ${how}`,
    ...effects.map(
      ({ operationId, expected, found }) => `  effect   ${operationId}: expected ${timesText(expected)}, found ${timesText(found)}`,
    ),
    ...money.map(({ asset, expected, found }) => `  money    expected ${expected} ${asset}, found ${found} ${asset}`),
    ...differences
      .filter(({ path }) => !/^(effects|money)\./.test(path))
      .map(({ path, expected, found }) => `  ${pointText}  ${path}: expected ${valueText(expected)}, found ${valueText(found)}`),
    ...evidence.map((each) => `  evidence ${each}`),
    ...(savedAs === null ? [] : [`  saved    ${savedAs}`]),
  ];
}

function triedLine({ tried, seed, ended, notOccurred }: ExplorationResult): string {
  const [singles, pairs] = [tried.singles, tried.pairs].map(([count = 0, of = 0]) => `${count} of ${of}`);
  const triples = tried.triples === 0 ? '' : ` and ${tried.triples} triples`;
  const rest = [
    ...(notOccurred.length === 0 ? [] : [`${notOccurred.length} did not occur`]),
    ...(ended === 'INTERRUPTED' ? ['interrupted'] : []),
  ];
  return `tried ${singles} singles and ${pairs} pairs${triples}, seed ${seed}${rest.map((each) => `, ${each}`).join('')}`;
}

const countOf = ([count = 0]: readonly number[]) => count;

const timesText = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : count === 0 ? 'never' : `${count} times`);

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return cut(text, 200);
}
