import { describe } from 'vitest';
import { documents } from './doc-blocks.js';
import { inLength } from './long-run.js';
import { itShowsRealResponses, ofUsualTests } from './shown-commands.js';

// Each page has a sandbox of its own, and waits more than it computes.
describe.concurrent('the documents', () => {
  itShowsRealResponses(
    'bash',
    documents.filter((document) => !ofUsualTests.includes(document)),
  );
  itShowsRealResponses('zsh', inLength([], ['README.md', 'docs/tutorials/first-payment.md', 'docs/tutorials/onboard-an-account.md']));
});
