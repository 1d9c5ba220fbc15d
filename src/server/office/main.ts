// `npm run office -- …`: the operator's command line. Nothing imports it.
import { runOffice } from './run.ts'

// Not `process.exit()`: what was printed into a pipe would be cut off.
process.exitCode = await runOffice(process.argv.slice(2), process.env, {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
})
