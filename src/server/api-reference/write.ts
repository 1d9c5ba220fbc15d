// `npm run api`: regenerates docs/api.json, and the settings in docs/operating.md. Tests fail when they
// are out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { settingsTable } from '../config/settings.ts'
import { openapi } from './api-reference.ts'

const docs = new URL('../../../docs/', import.meta.url)

/** JSON with a line for each value of this depth, so that changing a call changes one line. */
function print(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const lines = Object.entries(value).map(
    ([key, each]) => `${indent}  ${JSON.stringify(key)}: ${print(each, depth - 1, `${indent}  `)}`,
  )
  return `{\n${lines.join(',\n')}\n${indent}}`
}

writeFileSync(new URL('api.json', docs), `${print(openapi(), 4)}\n`)

const operating = new URL('operating.md', docs)
const table = /^\| variable \| default \| meaning \|\n(?:\|.*\n)+/m
writeFileSync(
  operating,
  readFileSync(operating, 'utf8').replace(table, () => `${settingsTable()}\n`),
)
