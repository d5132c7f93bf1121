import { readdirSync, readFileSync } from 'node:fs';

/** The phrases that docs/contributing/writing.md replaces. */
const phrases = new RegExp(
  [
    String.raw`unless told otherwise|of (its|their|one's) own\b|(?<!there )\bis none\b|\bno JSON\b|\banew\b|\bunder way\b|came to no|\bmend(s|ed)?\b`,
    String.raw`\bare refused\b|\bis met\b|\bnot met\b|\blose their answer`,
    String.raw`lets? go\b|for good\b|so (many|long)\b|\bbesides?\b|but for\b|\bstruck\b|\bowed\b|\btold\b|^\s*/\*\* (What|Which|That|Those)\b`,
    String.raw`\btapes?\b|\bas (it|they) came\b|\bcomes? along\b|\bformer (node|owner)\b|\bno more effect\b|\bonFault\b`,
    String.raw`(/\*\*|^\s*\*|//) .*\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Ss]trangers?)\b`,
  ].join('|'),
  'gm',
);

/** Files that list the phrases themselves. */
const lists = new Set(['docs/contributing/writing.md', 'src/testing/style/wording.ts']);

/** Maximum number of these phrases in each folder. Lower a limit when you remove some; the guide allows 50 in all. */
const limits: Readonly<Record<string, number>> = { docs: 0, fixtures: 0, openapi: 0, profiles: 0, scenarios: 0, skills: 0, src: 40 };

function countIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
  const texts = files.filter((file) => /\.(tsx?|md|ya?ml|txt)$/.test(file) && !lists.has(file));
  return texts.reduce((sum, file) => sum + (readFileSync(file, 'utf8').match(phrases)?.length ?? 0), 0);
}

/** Returns an error for each folder with more of the phrases than its limit. */
export function wordingMistakes(): string[] {
  const counts = Object.entries(limits).map(([folder, limit]) => ({ folder, limit, count: countIn(folder) }));
  return counts
    .filter(({ count, limit }) => count > limit)
    .map(
      ({ folder, count, limit }) =>
        `${folder}/ has ${count} phrases that docs/contributing/writing.md replaces; at most ${limit} are allowed. Rewrite the new ones.`,
    );
}
