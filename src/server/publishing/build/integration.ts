import type { AstroIntegration } from 'astro'
import { localeRoutes } from './locale-routes.ts'
import { paintModule } from './paint-module.ts'

/** What the pages stand on: their addresses in three languages and the paint script. */
export function publishing(): AstroIntegration[] {
  return [localeRoutes(), paintModule()]
}
