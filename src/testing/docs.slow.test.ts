import { describe } from 'vitest';
import { documents } from './doc-blocks.js';
import { itShowsRealResponses } from './shown-commands.js';

describe('the documents', () => {
  itShowsRealResponses('bash', documents);
  itShowsRealResponses('zsh', ['README.md', 'docs/tutorials/first-payment.md', 'docs/tutorials/onboard-an-account.md']);
});
