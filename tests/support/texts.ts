import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fillLimits } from '../../src/i18n/limits.ts'
import type { Locale } from '../../src/i18n/locales.ts'

type Tree = { [key: string]: string | Tree }

const ROOT = path.resolve(import.meta.dirname, '../../locales')

/** Reads a text as a visitor sees it: `said('ar', 'cart:add.add')`; throws where there is none. */
export function said(locale: Locale, key: string): string {
  const [namespace, inside = ''] = key.split(':')
  const file = readFileSync(path.join(ROOT, locale, `${namespace}.json`), 'utf8')
  let found: string | Tree | undefined = JSON.parse(file) as Tree
  for (const step of inside.split('.')) found = typeof found === 'object' ? found[step] : undefined
  if (typeof found !== 'string') throw new Error(`${locale} has no text ${key}`)
  return fillLimits(locale, found)
}
