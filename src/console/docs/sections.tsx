import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { anchorOf, type Contract, type Operation } from './document.js';
import { OperationPart } from './operation.js';
import { Prose } from './prose.js';
import { Shape } from './shape.js';
import { anchor, triedOperation } from './state.js';

/** A part of the page that is folded until the user opens it, or the address names it or an anchor inside. */
function Fold({
  id,
  inside = [],
  summary,
  className,
  children,
}: {
  readonly id: string;
  /** The anchors inside the part. */
  readonly inside?: readonly string[];
  readonly summary: ComponentChildren;
  readonly className: string;
  readonly children: () => ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDetailsElement>(null);
  const isNamed = anchor.value === id;
  const isWanted = isNamed || inside.includes(anchor.value);
  const [open, setOpen] = useState(isWanted);
  useEffect(() => {
    if (isWanted) setOpen(true);
    if (isNamed) element.current!.scrollIntoView({ block: 'start' });
  }, [isNamed, isWanted]);
  return (
    <details ref={element} id={id} class={className} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children()}
    </details>
  );
}

function OperationFold({ operation }: { readonly operation: Operation }): JSX.Element {
  const { anchor: id, method, path, summary, plane } = operation;
  const isSent = method !== 'EVENT' && !path.endsWith('/stream');
  return (
    <Fold
      id={id}
      className="item"
      summary={
        <>
          <b class={`method ${method.toLowerCase()}`}>{method}</b> <code>{path}</code> <span class="dim">{summary}</span>
        </>
      }
    >
      {() => <OperationPart key={plane} operation={operation} tryIt={isSent ? () => (triedOperation.value = operation) : undefined} />}
    </Fold>
  );
}

/** The contents of a document: operations by tag, error codes and schemas. */
export function ContractSections({ contract: { plane, groups, codes, shapes } }: { readonly contract: Contract }): JSX.Element {
  return (
    <>
      {groups.map(({ anchor: id, name, description, operations }) => (
        <Fold
          key={id}
          id={id}
          inside={operations.map((each) => each.anchor)}
          className="group"
          summary={
            <>
              <h3>{name}</h3> <span class="dim">{operations.length}</span>
            </>
          }
        >
          {() => (
            <>
              <Prose text={description} />
              {operations.map((operation) => (
                <OperationFold key={operation.anchor} operation={operation} />
              ))}
            </>
          )}
        </Fold>
      ))}
      <Fold
        id={anchorOf(plane, '', 'errors')}
        inside={codes.map((each) => each.anchor)}
        className="group"
        summary={
          <>
            <h3>Error codes</h3> <span class="dim">{codes.length}</span>
          </>
        }
      >
        {() =>
          codes.map(({ anchor: id, code, meaning, cause, remedy }) => (
            <Fold
              key={id}
              id={id}
              className="item"
              summary={
                <>
                  <code>{code}</code> <span class="dim">{meaning}</span>
                </>
              }
            >
              {() => (
                <div class="operation">
                  <Prose text={`Why: ${cause}`} />
                  <Prose text={`What to do: ${remedy}`} />
                </div>
              )}
            </Fold>
          ))
        }
      </Fold>
      <Fold
        id={anchorOf(plane, '', 'schemas')}
        inside={shapes.map((each) => each.anchor)}
        className="group"
        summary={
          <>
            <h3>Shapes</h3> <span class="dim">{shapes.length}</span>
          </>
        }
      >
        {() =>
          shapes.map(({ anchor: id, name, schema }) => (
            <Fold key={id} id={id} className="item" summary={<code>{name}</code>}>
              {() => (
                <div class="operation">
                  <Shape schema={schema} plane={plane} />
                </div>
              )}
            </Fold>
          ))
        }
      </Fold>
    </>
  );
}
