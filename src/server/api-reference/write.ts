// `npm run api`: regenerates docs/api.json. A test fails when it is out of date.
import { writeFileSync } from 'node:fs'
import { openapi } from './api-reference.ts'

const { paths, ...rest } = openapi()
// One line per address, so that changing a call changes one line.
const lines = Object.entries(paths as object).map(
  ([path, calls]) => `    ${JSON.stringify(path)}: ${JSON.stringify(calls)}`,
)
const head = JSON.stringify({ ...rest, paths: {} }, null, 2)
const text = `${head.replace(/"paths": \{\}\n\}$/, () => `"paths": {\n${lines.join(',\n')}\n  }\n}`)}\n`
writeFileSync(new URL('../../../docs/api.json', import.meta.url), text)
