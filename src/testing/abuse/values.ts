/** Returns JSON texts that are expensive to parse, with their names. Most have the maximum size of a body. */
export function hostileTexts(): readonly (readonly [name: string, text: string])[] {
  const most = 1_000_000;
  const list = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`;
  const object = (count: number, key = (index: number) => `k${index}`) =>
    `{${Array.from({ length: count }, (_each, index) => `${JSON.stringify(key(index))}:1`).join(',')}}`;
  const text = (part: string, length = most) => JSON.stringify(part.repeat(Math.floor(length / part.length)));
  return [
    ...['1', '{}', '[]', '""', 'null', '{"a":1}', '"x"', '1e308'].flatMap((item): [string, string][] => [
      [`9,000 times ${item}`, list(item, item === '{"a":1}' ? 4500 : 9000)],
      [`as many ${item} as fit`, list(item, Math.floor(most / (item.length + 1)))],
    ]),
    ['40 times 1', list('1', 40)],
    ['4,000 empty texts in 100 lists', list(list('""', 40), 100)],
    ['9,000 keys', object(9000)],
    ['90,000 keys', object(90_000)],
    ['9,000 long keys', object(9000, (index) => `${index}`.padStart(100, 'k'))],
    ['a key of a million letters', `{${text('k')}:1}`],
    ['a key __proto__', '{"__proto__":{"admin":true}}'],
    ['keys of the prototype', '{"toString":1,"hasOwnProperty":1,"valueOf":null,"__defineGetter__":1}'],
    ['60 levels of lists', '['.repeat(60) + ']'.repeat(60)],
    ['60 levels of objects', '{"a":'.repeat(60) + '1' + '}'.repeat(60)],
    ['500,000 levels', '['.repeat(most / 2) + ']'.repeat(most / 2)],
    ['100,000 levels of objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['a number of a million digits', '1'.repeat(most)],
    ['a fraction of a million digits', `0.${'1'.repeat(most)}`],
    ['a number beyond all', '1e999999'],
    ['minus nothing', '-0'],
    ...([' ', 'x', '0', '9', '-', '.', ',', '1.', 'a@', 'a.', '(', '\\', '%', '\u0000', '\u{1f4a5}', 'é', '/', ':'] as const).flatMap(
      (part): [string, string][] => [
        [`a text of ${JSON.stringify(part)}`, text(part, 500_000)],
        [`a text of ${JSON.stringify(part)} with an x behind it`, `${text(part, 500_000).slice(0, -1)}x"`],
      ],
    ),
    ['a URL of a million labels', JSON.stringify(`https://${'a.'.repeat(400_000)}com/`)],
    ['a URL of a long path', JSON.stringify(`https://example.com/${'a/../'.repeat(150_000)}`)],
    ['a duration of many digits', JSON.stringify(`P${'9'.repeat(400_000)}D`)],
    ['half a character', '"\\ud800"'],
  ];
}

/** Returns filters that are expensive to parse or to apply, for a list with these fields. */
export function hostileFilters(fields: readonly string[]): string[] {
  const [field = 'id'] = fields;
  const fill = (part: string) => part.repeat(Math.floor(1990 / part.length));
  return [
    fill('('),
    fill('and('),
    fill(';'),
    fill(','),
    fill('\\'),
    `${field}[eq]=${fill('a').slice(60)}`,
    `${field}[like]=${fill('a').slice(61)}b`,
    `${field}[text]=${fill('a ').slice(60)}`,
    `${field}[in]=${fill('a|').slice(60)}`,
    `${field}[nin]=${fill('|').slice(60)}`,
    `${field}[eq]=${'\\,'.repeat(900)}`,
    fields
      .flatMap((each) => ['ne', 'like', 'text', 'nin', 'last_ne'].map((operator) => `${each}[${operator}]=zz`))
      .slice(0, 50)
      .join(';'),
    `or(${Array.from({ length: 49 }, (_each, index) => `${fields[index % fields.length]}[like]=${index}`).join(',')})`,
    'and(or(and(or(and(id[eq]=1)))))',
    'and(or(and(or(and(or(id[eq]=1))))))',
    `${field}[__proto__]=1`,
    'constructor[eq]=1',
    '__proto__[eq]=1',
    `${field}[eq]=\u0000`,
    'x'.repeat(10_000),
  ];
}

/** Returns scenario files that are expensive to parse. */
export function hostileYaml(): readonly (readonly [name: string, text: string])[] {
  const rules = (rule: string) => `scenario: hostile\nsummary: Hostile.\nrules:\n${`  - ${rule}\n`.repeat(20_000)}`;
  const laughs = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let index = 1; index < 9; index += 1) {
    const [before, own] = ['abcdefghi'[index - 1]!, 'abcdefghi'[index]!];
    laughs.push(`${own}: &${own} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
  }
  return [
    ['a billion laughs', laughs.join('\n')],
    ['many rules', rules('{ on: OPERATION, steps: [] }')],
    ['many wrong rules', rules('{ on: NOTHING }')],
    ['deep lists', `rules: ${'['.repeat(5000)}`],
    ['deep maps', Array.from({ length: 1500 }, (_each, index) => `${' '.repeat(index)}a:`).join('\n')],
    ['a long line', `summary: ${'x'.repeat(1_000_000)}`],
    ['many keys', Array.from({ length: 20_000 }, (_each, index) => `k${index}: 1`).join('\n')],
    ['one key many times', 'a: 1\n'.repeat(20_000)],
    ['a merge of itself', 'a: &a\n  <<: *a\n'],
    ['tabs', '\t'.repeat(100_000)],
    ['closed lists', ']'.repeat(64_000)],
    ['wrong escapes', `summary: "${'\\q'.repeat(32_000)}"`],
    ['many rules with unknown fields', rules('{ on: OPERATION, when: { sorce: 1, tarhet: 2 }, steps: [] }').slice(0, 30_000)],
    ['closed maps in a list', `[${'} '.repeat(32_000)}]`],
    ['adjacent strings', "''\n".repeat(9900)],
    ['carriage returns', '\r'.repeat(64_000)],
    ['aliases', `a: &a 1\nb: [${'*a,'.repeat(21_000)}]`],
    ['no text', '\u0000'.repeat(1000)],
  ];
}
