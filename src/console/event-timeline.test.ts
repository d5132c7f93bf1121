import { describe, expect, it } from 'vitest';
import type { Item } from './item.js';
import { EventTimeline } from './event-timeline.js';

const item = (kind: Item['kind'], id: string, order: number, more: Partial<Item> = {}): Item => {
  const at = new Date(order * 1000).toISOString();
  const nothing = { status: null, ms: null, resource: null, resourceId: null, causeId: null, generation: 1, test: null };
  return { kind, id, order, at, realAt: at, summary: id, ...nothing, ...more };
};
const idsOf = ({ items }: EventTimeline) => items.map(({ id }) => id);

const [first, second, third] = [item('REQUEST', 'req_1', 1), item('REQUEST', 'req_2', 2), item('REQUEST', 'req_3', 3)];

describe('the event timeline', () => {
  it.each<[string, (course: EventTimeline) => void]>([
    ['older part first', (course) => (course.add([first, second]), course.add([second, third]))],
    ['newer part first', (course) => (course.add([second, third]), course.add([first, second]))],
    ['repeated items', (course) => (course.add([first, second]), course.add([first, second, third]))],
    ['a late oldest item', (course) => (course.add([second, third]), course.add([first, third]))],
    ['an item after a gap', (course) => (course.add([first]), course.add([third]), course.add([first, second, third]))],
  ])('lists overlapping items once and in order: %s', (_which, tell) => {
    const course = new EventTimeline(10);
    tell(course);
    expect(idsOf(course)).toEqual(['req_1', 'req_2', 'req_3']);
  });

  it('lists each status of a delivery, and each return of a resource to a status', () => {
    const course = new EventTimeline(10);
    course.add([item('DELIVERY', 'm1', 1, { status: 'DUE' }), item('STATE', 'op', 2, { status: 'ON_HOLD' })]);
    course.add([item('DELIVERY', 'm1', 3, { status: 'SUCCESS' }), item('STATE', 'op', 4, { status: 'ON_HOLD' })]);
    expect(idsOf(course)).toEqual(['m1', 'op', 'm1', 'op']);
  });

  it('replaces a request in progress by the finished request', () => {
    const course = new EventTimeline(10);
    course.add([item('REQUEST', 'req_1', 1), second]);
    course.add([item('REQUEST', 'req_1', 1, { status: '201' })]);
    expect(course.items.map(({ id, status }) => [id, status])).toEqual([
      ['req_1', '201'],
      ['req_2', null],
    ]);
  });

  it('keeps only the newest items, and none after it is cleared', () => {
    const course = new EventTimeline(2);
    course.add([first, second, third]);
    expect(idsOf(course)).toEqual(['req_2', 'req_3']);
    course.clear();
    course.add([first]);
    expect(idsOf(course)).toEqual(['req_1']);
  });
});
