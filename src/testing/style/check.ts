import { cutMistakes } from './cuts.js';
import { descriptionMistakes } from './descriptions.js';
import { expressionMistakes } from './regular-expressions.js';
import { wordingMistakes } from './wording.js';

// Checks the source code and the OpenAPI documents, for `npm run lint:style`. Prints each error, and ends with 1 if there is any.
const mistakes = [...wordingMistakes(), ...cutMistakes(), ...descriptionMistakes(), ...(await expressionMistakes())];
for (const mistake of mistakes) console.error(mistake);
if (mistakes.length > 0) process.exitCode = 1;
