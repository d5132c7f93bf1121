// Apart from all that imports it, so that nobody loads the library who keeps worlds elsewhere.
export { Pool } from 'pg';
