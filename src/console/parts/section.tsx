import type { ComponentChildren, JSX } from 'preact';

/** A part of the inspector, under a head of its own. */
export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Facts with their names. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text as it was sent, JSON in a form that can be read. */
export function Text({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // What is no JSON is shown as it is.
  }
  return (
    <pre class="text" tabIndex={0} role="region" aria-label={label}>
      {shown}
    </pre>
  );
}

/** What a screen says that has nothing to show: why, and how to get something there. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
