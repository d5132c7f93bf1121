import type { TimelineItem } from '../../contract/control/analysis/stream.js';

/** Number of timeline items that the start page shows. */
const shownEvents = 5;

/** Returns the page of the console that shows a timeline item. */
function consolePage({ kind, id, resource, resourceId }: TimelineItem): string {
  const base = '/_sandbox/console/default';
  if (kind === 'REQUEST') return `${base}/calls/${id}`;
  return resource === 'OPERATION' && resourceId !== null ? `${base}/operations/${resourceId}` : `${base}/timeline`;
}

function rowOf(item: TimelineItem): HTMLElement {
  const row = document.createElement('li');
  const link = document.createElement('a');
  const time = document.createElement('code');
  link.href = consolePage(item);
  link.textContent = item.summary;
  time.textContent = item.at.slice(11, 19);
  row.append(time, ' ', link, item.status === null ? '' : ` ${item.status}`);
  return row;
}

/** Fills the section of recent timeline items. The section stays hidden if the items cannot be read. */
async function showRecent(section: HTMLElement): Promise<void> {
  const response = await fetch(`/_sandbox/timeline?kinds=REQUEST,STATE&counts=false&limit=${shownEvents}`);
  if (!response.ok) return;
  const { data } = (await response.json()) as { data: TimelineItem[] };
  const list = section.querySelector('ul')!;
  if (data.length > 0) list.replaceChildren(...data.map(rowOf));
  section.hidden = false;
}

const section = document.getElementById('recent');
// The page is complete without these items.
if (section) showRecent(section).catch(() => undefined);
