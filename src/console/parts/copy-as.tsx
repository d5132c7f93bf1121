import type { JSX } from 'preact';
import { callAsCurl, type ApiCall } from '../api-calls.js';
import { callAsPython, callAsTypeScript } from '../call/copy-as.js';
import { CopyButton } from './button.js';

/** Buttons that copy a request as a curl command or as a program. */
export function CopyAs({ call }: { readonly call: ApiCall }): JSX.Element {
  return (
    <>
      <CopyButton text={() => callAsCurl(call)}>Copy as curl</CopyButton>
      {call.file === undefined && (
        <>
          <CopyButton text={() => callAsTypeScript(call)}>Copy as TypeScript</CopyButton>
          <CopyButton text={() => callAsPython(call)}>Copy as Python</CopyButton>
        </>
      )}
    </>
  );
}
