// `npm run office -- …`: the operator's command line. Nothing imports it.

import { lowerProcess } from '../concurrency/low-priority.ts'
import { environment } from '../config/environment.ts'

// These commands, including their loading, run at a lower priority, so that the shop's visitors
// come first.
const LONG_COMMANDS: readonly string[] = ['import', 'export', 'backup']
if (LONG_COMMANDS.includes(process.argv[2] ?? '')) lowerProcess()
const { runOffice } = await import('./run.ts')

// Progress is one line, which is cleared when the command ends.
let isLineShown = false
const show = (line: string) => {
  if (line === '' && !isLineShown) return
  isLineShown = line !== ''
  process.stderr.write(`\r\x1b[K${line}`)
}
const printing = (print: (line: string) => void) => (line: string) => {
  show('')
  print(line)
}

// Not `process.exit()`, which would cut off output into a pipe.
process.exitCode = await runOffice(process.argv.slice(2), environment, {
  out: printing(console.log),
  err: printing(console.error),
  ...(process.stderr.isTTY && { progress: show }),
})
show('')
