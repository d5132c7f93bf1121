import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A modal dialog, which Esc closes. */
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
  /** False for a dialog whose content has its own button to close it. */
  readonly hasClose?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  // A layout effect opens the dialog before the next key press, which is meant for the dialog.
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
