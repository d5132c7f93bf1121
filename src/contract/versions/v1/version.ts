import { eventSchemas } from '../../public/events.js';
import { publicRoutes } from '../../public/routes.js';
import type { Version } from '../version.js';

export const version1: Version = { name: '1', routes: publicRoutes, events: eventSchemas };
