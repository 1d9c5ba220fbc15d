// `npm run api`: regenerates docs/api.json, and the settings in docs/operating.md. Tests fail when they
// are out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { settingsTable } from '../config/settings.ts'
import { openapi } from './api-reference.ts'

const docs = new URL('../../../docs/', import.meta.url)
const { paths, ...rest } = openapi()
// One line per address, so that changing a call changes one line.
const lines = Object.entries(paths as object).map(
  ([path, calls]) => `    ${JSON.stringify(path)}: ${JSON.stringify(calls)}`,
)
const head = JSON.stringify({ ...rest, paths: {} }, null, 2)
const text = `${head.replace(/"paths": \{\}\n\}$/, () => `"paths": {\n${lines.join(',\n')}\n  }\n}`)}\n`
writeFileSync(new URL('api.json', docs), text)

const operating = new URL('operating.md', docs)
const table = /^\| variable \| default \| meaning \|\n(?:\|.*\n)+/m
writeFileSync(
  operating,
  readFileSync(operating, 'utf8').replace(table, () => `${settingsTable()}\n`),
)
