// A separate module, so that only verifications with an expression load the library.
export { RE2JS } from 're2js';
