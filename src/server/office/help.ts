import type { CommandHelp } from './command.ts'

const CALL = 'npm run --silent office --'

/** What `--help` says of all commands. */
export function overview(commands: readonly CommandHelp[]): string[] {
  const names = commands.map(({ name, usage }) => `${name} ${usage}`.trim())
  const width = Math.max(...names.map(({ length }) => length))
  return [
    'What an operator does with the shop, while it runs and while it does not.',
    '',
    `Usage: ${CALL} <command> [--json] [--help]`,
    '',
    ...commands.map(({ summary }, at) => `  ${(names[at] ?? '').padEnd(width)}  ${summary}`),
    '',
    '--json prints one line for scripts; amounts are in dinars there, moments in UTC.',
    'It works on the shop of DATABASE_URL or DATA_DIR, as `npm start` does, and needs the same environment.',
    '',
    'Exit codes: 0 done; 1 the answer is no; 2 wrong usage; 3 the database cannot be reached; 4 a fault.',
  ]
}

/** What `--help` says of a command. */
export function helpFor({
  name,
  usage,
  summary,
  details = [],
  options = {},
}: CommandHelp): string[] {
  const flags = Object.entries(options).map(
    ([flag, { type, about }]) => `  --${flag}${type === 'string' ? ' …' : ''}  ${about}`,
  )
  return [
    summary,
    '',
    `Usage: ${[CALL, name, usage, '[--json]'].filter(Boolean).join(' ')}`,
    ...(flags.length > 0 ? ['', ...flags] : []),
    ...(details.length > 0 ? ['', ...details] : []),
  ]
}
