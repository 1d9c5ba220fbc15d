import type { AstroIntegration } from 'astro'
import { headScripts } from './head-scripts.ts'
import { islandChunks } from './island-chunks.ts'
import { islandStyle } from './island-style.ts'
import { localeRoutes } from './locale-routes.ts'

/** What the pages stand on: their addresses in three languages, paint script, clean bodies. */
export function publishing(): AstroIntegration[] {
  return [localeRoutes(), headScripts(), islandStyle(), islandChunks()]
}
