import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { hints, rules } from './rules.js';
import { storyOf, weightOf } from './story.js';
import type { Rule } from './rule.js';

const style = `:root{color-scheme:light dark;background:light-dark(#fff,#121212);color:light-dark(#1b1b1b,#e8e8e8)}a{color:light-dark(#0645ad,#8ab4f8)}
body{margin:0 auto;padding:2rem;max-width:60rem;font:16px/1.5 system-ui,sans-serif}h2{margin-top:2.5rem;font-size:1.15rem}
pre{background:#8881;padding:.75rem;overflow:auto;border-radius:.4rem;font:.82em/1.45 ui-monospace,monospace}`;

function section({ id, title, advice, rival, implies = [], records, ...weight }: Rule) {
  return html`<section id="${id}">
    <h2>${id}</h2>
    <p><strong>${title}.</strong> (${weightOf(weight)})</p>
    <p>${advice}</p>
    ${rival === undefined ? '' : html`<p>What else may explain it: ${rival}</p>`}
    ${implies.length === 0 ? '' : html`<p>It may bring along: ${implies.join(', ')}.</p>`}
    <p>Found here:</p>
    <pre tabindex="0">${storyOf(records.fires).join('\n')}</pre>
    <p>And not here:</p>
    <pre tabindex="0">${storyOf(records.mustNotFire).join('\n')}</pre>
  </section>`;
}

/** The rules for clients, for people: what each finds, what mends it, and an example of both. */
export function findingsPage(): HtmlEscapedString | Promise<HtmlEscapedString> {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Findings: what clients get wrong</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>What clients get wrong</h1>
          <p>
            Each rule with what mends it, and two examples: one that is found, and the nearest that is not.
            <a href="/docs">The API</a>
          </p>
          <ul>
            ${rules.map(({ id, title }) => html`<li><a href="#${id}">${id}</a>: ${title}</li>`)}
          </ul>
          ${rules.map(section)}
          <h1>Hints</h1>
          <p>What might be better. They are listed when they are asked for, and fail nothing.</p>
          ${hints.map(section)}
        </main>
      </body>
    </html>`;
}
