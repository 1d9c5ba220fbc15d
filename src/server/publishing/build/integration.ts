import type { AstroIntegration } from 'astro'
import { fontModule } from '../fonts/font-module.ts'
import { localeRoutes } from './locale-routes.ts'
import { paintModule } from './paint-module.ts'

/** What the pages stand on: their addresses in three languages, the fonts and the paint script. */
export function publishing(): AstroIntegration[] {
  return [localeRoutes(), fontModule(), paintModule()]
}
