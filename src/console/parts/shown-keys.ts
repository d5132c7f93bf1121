import { useEffect } from 'preact/hooks';

/** Calls `press` for the key actions on the shown item: `curl`, `again`, `mark`, `diff`. */
export function useShownKeys(press: (key: string) => void): void {
  useEffect(() => {
    const hear = ({ detail }: CustomEvent<string>) => press(detail);
    addEventListener('shown-key', hear as EventListener);
    return () => removeEventListener('shown-key', hear as EventListener);
  });
}
