import type { Report } from '../../../contract/control/analysis/report.js';
import { htmlOf, htmlPolicy } from './html.js';
import { junitOf } from './junit.js';
import { markdownOf } from './markdown.js';
import type { FailOn } from './verdict.js';

/** A rendering of a report: its content, media type and file name. */
export interface Rendering {
  readonly mediaType: string;
  readonly file: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly render: (report: Report, failOn: FailOn) => string;
}

/** The renderings of a report, by the name of their format. */
export const renderings = {
  json: { mediaType: 'application/json', file: 'report.json', render: (report) => `${JSON.stringify(report, null, 2)}\n` },
  markdown: { mediaType: 'text/markdown; charset=utf-8', file: 'report.md', render: markdownOf },
  junit: { mediaType: 'application/xml', file: 'report.xml', render: junitOf },
  html: { mediaType: 'text/html; charset=utf-8', file: 'report.html', headers: { 'Content-Security-Policy': htmlPolicy }, render: htmlOf },
} as const satisfies Record<'json' | 'markdown' | 'junit' | 'html', Rendering>;
