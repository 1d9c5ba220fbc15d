// `npm run office -- …`: the operator's command line. Nothing imports it.
import { environment } from '../environment.ts'
import { lowerProcess } from '../low-priority.ts'

// The shop's visitors come first, from the loading of the commands on.
const LONG_COMMANDS: readonly string[] = ['import', 'export', 'backup']
if (LONG_COMMANDS.includes(process.argv[2] ?? '')) lowerProcess()
const { runOffice } = await import('./run.ts')

// Progress is one line, which is gone when the command has ended.
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

// Not `process.exit()`: what was printed into a pipe would be cut off.
process.exitCode = await runOffice(process.argv.slice(2), environment, {
  out: printing(console.log),
  err: printing(console.error),
  ...(process.stderr.isTTY && { progress: show }),
})
show('')
