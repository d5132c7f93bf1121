import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A dialog over the page, which Esc closes. */
export function Dialog({
  title,
  open,
  close,
  hasClose = true,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly close: () => void;
  /** False for a dialog with a button of its own that closes it. */
  readonly hasClose?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  // Before anything else is typed, which is meant for it.
  useLayoutEffect(() => {
    if (open && !element.current!.open) element.current!.showModal();
    if (!open) element.current!.close();
  }, [open]);
  return (
    <dialog ref={element} aria-label={title} onClose={close}>
      {open && (
        <>
          <h2>{title}</h2>
          {children}
          {hasClose && (
            <p>
              <button type="button" class="button" onClick={close}>
                Close
              </button>
            </p>
          )}
        </>
      )}
    </dialog>
  );
}
