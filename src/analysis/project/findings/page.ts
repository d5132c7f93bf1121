import { html } from 'hono/html';
import { htmlPage, type Html } from '../../../api/plane/built-page.js';
import { hints, rules } from './rules.js';
import { storyOf, weightOf } from './story.js';
import type { Rule } from './rule.js';

function section({ id, title, advice, alternativeExplanation, implies = [], examples, ...weight }: Rule) {
  return html`<section id="${id}">
    <h2>${id}</h2>
    <p><strong>${title}.</strong> (${weightOf(weight)})</p>
    <p>${advice}</p>
    ${alternativeExplanation === undefined ? '' : html`<p>Alternative explanation: ${alternativeExplanation}</p>`}
    ${implies.length === 0 ? '' : html`<p>A client that breaks this rule can also break: ${implies.join(', ')}.</p>`}
    <p>An example that breaks the rule:</p>
    <pre class="text" tabindex="0">${storyOf(examples.invalid).join('\n')}</pre>
    <p>A similar example that does not:</p>
    <pre class="text" tabindex="0">${storyOf(examples.valid).join('\n')}</pre>
  </section>`;
}

const linkTo = ({ id, title }: Rule) => html`<li><a href="#${id}" title="${title}">${id}</a></li>`;

/** Returns the page that documents each rule: the problem, the fix, one example that breaks the rule, and one that does not. */
export function findingsPage(): Html {
  return htmlPage(
    { title: 'Findings: common client errors', styles: '/docs/assets/docs.css' },
    html`
      <div id="app">
        <header>
          <div class="top">
            <span class="name">crossborder-sandbox</span> <span class="dim">findings</span> <a href="/docs">Documentation</a>
          </div>
        </header>
        <div class="columns docs">
          <nav class="nav" aria-label="Findings">
            <ul aria-label="Rules">
              ${rules.map(linkTo)}
            </ul>
            <ul aria-label="Hints">
              ${hints.map(linkTo)}
            </ul>
          </nav>
          <main>
            <div class="scroll" tabindex="0" role="region" aria-label="Findings">
              <div class="page">
                <h1>Common client errors</h1>
                <p>Each rule with its fix and two examples: one that breaks the rule, and a similar one that does not.</p>
                ${rules.map(section)}
                <h1>Hints</h1>
                <p>Suggestions for improvement. They are listed on request and never fail a report.</p>
                ${hints.map(section)}
              </div>
            </div>
          </main>
        </div>
      </div>
    `,
  );
}
