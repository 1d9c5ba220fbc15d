import type { AstroIntegration } from 'astro'
import { islandStyle } from './island-style.ts'
import { localeRoutes } from './locale-routes.ts'
import { paintModule } from './paint-module.ts'

/** What the pages stand on: their addresses in three languages, paint script, clean bodies. */
export function publishing(): AstroIntegration[] {
  return [localeRoutes(), paintModule(), islandStyle()]
}
