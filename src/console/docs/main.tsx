import { render } from 'preact';
import { DocsApp } from './docs-app.js';
import { startDocs, triedOperation } from './state.js';

addEventListener('keydown', (event) => {
  const isField = event.target instanceof HTMLElement && ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
  if (event.key === 'Escape') triedOperation.value = null;
  if (event.key !== '/' || isField || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.getElementById('search')?.focus();
});
void startDocs();
render(<DocsApp />, document.getElementById('app')!);
