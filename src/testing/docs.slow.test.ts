import { describe } from 'vitest';
import { itShowsRealResponses } from './shown-commands.js';

describe('the documents', () => {
  itShowsRealResponses('zsh');
});
