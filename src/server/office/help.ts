import type { CommandHelp } from './command.ts'

/** The lines of `--help` for all commands; `call` is how the operator calls them here. */
export function overview(commands: readonly CommandHelp[], call: string): string[] {
  const names = commands.map(({ name, usage }) => `${name} ${usage}`.trim())
  const width = Math.max(...names.map(({ length }) => length))
  return [
    'The operator’s command line; it works whether the shop runs or not.',
    '',
    `Usage: ${call} <command> [--json] [--help]`,
    '',
    ...commands.map(({ summary }, at) => `  ${(names[at] ?? '').padEnd(width)}  ${summary}`),
    '',
    '--json prints one line for scripts, with amounts in dinars and times in UTC.',
    'Commands work on the shop of DATABASE_URL or DATA_DIR and need the same environment as the shop.',
    '',
    'Exit codes: 0 done; 1 refused, or the answer is no; 2 wrong usage; 3 the database cannot be reached; 4 an unexpected error.',
  ]
}

/** The lines of `--help` for one command. */
export function helpFor(
  { name, usage, summary, details = [], options = {} }: CommandHelp,
  call: string,
): string[] {
  const flags = Object.entries(options).map(
    ([flag, { type, about }]) => `  --${flag}${type === 'string' ? ' …' : ''}  ${about}`,
  )
  return [
    summary,
    '',
    `Usage: ${[call, name, usage, '[--json]'].filter(Boolean).join(' ')}`,
    ...(flags.length > 0 ? ['', ...flags] : []),
    ...(details.length > 0 ? ['', ...details] : []),
  ]
}
