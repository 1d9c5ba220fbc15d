// `npm run office -- …`: the operator's command line. Nothing imports it.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { environment } from '../config/environment.ts'
import { keepCompiledCode, lowerProcess } from '../process.ts'

// These commands, including their loading, run at a lower priority, so that the shop's visitors
// come first.
const LONG_COMMANDS: readonly string[] = ['import', 'export', 'backup']
if (LONG_COMMANDS.includes(process.argv[2] ?? '')) lowerProcess()
keepCompiledCode()
const { runCommandLine } = await import('./run.ts')

// Progress is one line, which is cleared when the command ends.
let isLineShown = false
const showLine = (line: string) => {
  if (line === '' && !isLineShown) return
  isLineShown = line !== ''
  process.stderr.write(`\r\x1b[K${line}`)
}
const printing = (print: (line: string) => void) => (line: string) => {
  showLine('')
  print(line)
}

/** Asks at the terminal; what is typed for a secret does not appear. */
async function askPerson(question: string, isSecret: boolean): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? silence : process.stderr
  if (isSecret) process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const answer = await lines.question(isSecret ? '' : question)
  lines.close()
  return answer
}

// Not `process.exit()`, which would cut off output into a pipe.
process.exitCode = await runCommandLine(process.argv.slice(2), environment, {
  out: printing(console.log),
  err: printing(console.error),
  ...(process.stderr.isTTY && { progress: showLine }),
  ...(process.stdin.isTTY ? { ask: askPerson } : { piped: () => text(process.stdin) }),
})
showLine('')
