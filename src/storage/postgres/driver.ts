// A separate module, so that only users of PostgreSQL load the library.
export { Pool } from 'pg';
