import { useEffect } from 'preact/hooks';

/** Has what is shown answer to the keys that are about it: `curl`, `again`, `mark`, `diff`. */
export function useShownKeys(press: (key: string) => void): void {
  useEffect(() => {
    const hear = ({ detail }: CustomEvent<string>) => press(detail);
    addEventListener('shown-key', hear as EventListener);
    return () => removeEventListener('shown-key', hear as EventListener);
  });
}
