import type { JSX } from 'preact';
import { call, urlPath } from '../api.js';
import { Button } from './button.js';
import { shortId } from './id.js';
import { inWords } from './words.js';

/** Statuses of resources that are not in review. */
const reviewed: ReadonlySet<string> = new Set(['APPROVED', 'REJECTED', 'SUPERSEDED', 'ACTIVE']);

interface ReviewProps {
  /** Path segment of the resource, for example `documents`. */
  readonly noun: string;
  readonly id: string;
  readonly status: string;
}

/** Buttons that approve or reject a resource in review. */
export function Review({ noun, id, status }: ReviewProps): JSX.Element | null {
  if (reviewed.has(status)) return null;
  const what = `${inWords(noun).replaceAll('-', ' ').replace(/s$/, '')} ${shortId(id)}`;
  return (
    <div class="moves">
      <Button act={() => call('POST', urlPath`/${noun}/${id}/approve`, {})} done={`Approved ${what}.`}>
        Approve
      </Button>
      <Button act={() => call('POST', urlPath`/${noun}/${id}/reject`, {})} done={`Rejected ${what}.`} destructive>
        Reject
      </Button>
    </div>
  );
}
