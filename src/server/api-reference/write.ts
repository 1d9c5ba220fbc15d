// `npm run api`: writes docs/api.json anew. A test says when that is needed.
import { writeFileSync } from 'node:fs'
import { openapi } from './openapi.ts'

const { paths, ...rest } = openapi()
// A line for each address, so that a change of one call is a change of one line.
const lines = Object.entries(paths as object).map(
  ([path, calls]) => `    ${JSON.stringify(path)}: ${JSON.stringify(calls)}`,
)
const head = JSON.stringify({ ...rest, paths: {} }, null, 2)
const text = `${head.replace(/"paths": \{\}\n\}$/, () => `"paths": {\n${lines.join(',\n')}\n  }\n}`)}\n`
writeFileSync(new URL('../../../docs/api.json', import.meta.url), text)
