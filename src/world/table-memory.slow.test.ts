import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { Table } from './table.js';

test('deleted rows are removed from memory', () => {
  class Row {
    readonly id: string;
    constructor(seq: number) {
      this.id = String(seq);
    }
  }
  const table = new Table<Row>();
  for (let seq = 0; seq < 5000; seq += 1) {
    table.set(String(seq), new Row(seq));
    table.delete(String(seq - 16));
  }
  expect(table.size).toBe(16);
  expect(queryObjects(Row, { format: 'count' })).toBeLessThan(100);
});
