import { describe, expect, it } from 'vitest';
import type { Item } from './item.js';
import { Course } from './course.js';

const item = (kind: Item['kind'], id: string, second: number, more: Partial<Item> = {}): Item => {
  const at = new Date(second * 1000).toISOString();
  return { kind, id, at, realAt: at, summary: id, status: null, ms: null, resource: null, resourceId: null, causeId: null, ...more };
};
const idsOf = ({ items }: Course) => items.map(({ id }) => id);

const [first, second, third] = [item('REQUEST', 'req_1', 1), item('REQUEST', 'req_2', 2), item('REQUEST', 'req_3', 3)];

describe('what happened, by the stream and by the record', () => {
  it.each<[string, (course: Course) => void]>([
    ['the record first', (course) => (course.recall([first, second]), course.follow([second, third]))],
    ['the stream first', (course) => (course.follow([second, third]), course.recall([first, second]))],
    ['the record twice', (course) => (course.recall([first, second]), course.recall([first, second, third]))],
    ['what the stream still had, late', (course) => (course.recall([second, third]), course.follow([first, third]))],
    ['what a gap left out', (course) => (course.follow([first]), course.follow([third]), course.recall([first, second, third]))],
  ])('is told once and in order: %s', (_which, tell) => {
    const course = new Course(10);
    tell(course);
    expect(idsOf(course)).toEqual(['req_1', 'req_2', 'req_3']);
  });

  it('has each status of a delivery, and each return to a status', () => {
    const course = new Course(10);
    course.recall([item('DELIVERY', 'm1', 1, { status: 'DUE' }), item('STATE', 'op', 1, { status: 'ON_HOLD' })]);
    course.follow([item('DELIVERY', 'm1', 2, { status: 'SUCCESS' }), item('STATE', 'op', 2, { status: 'ON_HOLD' })]);
    expect(idsOf(course)).toEqual(['m1', 'op', 'm1', 'op']);
  });

  it('keeps the newest, and forgets all when it is cleared', () => {
    const course = new Course(2);
    course.follow([first, second, third]);
    expect(idsOf(course)).toEqual(['req_2', 'req_3']);
    course.clear();
    course.recall([first]);
    expect(idsOf(course)).toEqual(['req_1']);
  });
});
