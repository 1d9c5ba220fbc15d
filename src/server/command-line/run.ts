import { parseArgs } from 'node:util'
import { BadBackup } from '../backup/backup.ts'
import { ConfigError, type Environment, officeCommandOf, readConfig } from '../config/config.ts'
import { StartError } from '../database/start-error.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import { ApiFault } from '../http/errors.ts'
import { printable, printableJson } from '../terminal.ts'
import { accountCommands } from './accounts.ts'
import { backupCommands } from './backup.ts'
import { callCommands } from './call.ts'
import {
  type AnyCommand,
  CommandError,
  EXIT,
  type Exit,
  type Input,
  type Monitor,
  type Outcome,
  wrongUsage,
} from './command.ts'
import { doctorCommands } from './doctor.ts'
import { importCommands } from './import.ts'
import { mailCommands } from './mails.ts'
import { moneyCommands } from './money.ts'
import { inShop, needAddress } from './open-shop.ts'

export const COMMANDS: readonly AnyCommand[] = [
  ...callCommands,
  ...moneyCommands,
  ...accountCommands,
  ...importCommands,
  ...backupCommands,
  ...mailCommands,
  ...doctorCommands,
]

/** Where a command prints its results (`out`) and errors (`err`). */
export interface Terminal {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Replaces the previous progress line; absent outside a terminal. */
  readonly progress?: (line: string) => void
  readonly ask?: Monitor['ask']
  readonly piped?: Monitor['piped']
}

/** Errors with which resources refuse a command; their messages state the reason. */
const REFUSALS = [ApiFault, BadBackup]

/** Runs what was typed after `karras` or `npm run office --`; returns the exit code. */
export async function runCommandLine(
  typed: readonly string[],
  env: Environment,
  given: Terminal,
): Promise<Exit> {
  // Escaped here for all commands: many lines contain texts written by customers.
  const terminal: Terminal = {
    ...given,
    out: (line) => given.out(printable(line)),
    err: (line) => given.err(printable(line)),
    ...(given.progress && { progress: (line) => given.progress?.(printable(line)) }),
  }
  try {
    return await run(typed, env, terminal)
  } catch (error) {
    terminal.err(lineOf(error))
    return exitOf(error)
  }
}

async function run(
  typed: readonly string[],
  env: Environment,
  { out, err, progress, ask, piped }: Terminal,
): Promise<Exit> {
  const wantsHelp = typed.includes('--help') || typed.includes('-h')
  const command = commandIn(typed)
  if (!command) {
    const words = typed.filter((word) => !word.startsWith('-'))
    if (words.length === 0) {
      for (const line of overview(officeCommandOf(env))) (wantsHelp ? out : err)(line)
      return wantsHelp ? EXIT.done : EXIT.usage
    }
    throw wrongUsage(
      `There is no command "${words.join(' ')}"; see --help, and \`calls ${words[0]}\` for the office's calls.`,
    )
  }
  if (wantsHelp) {
    const call = officeCommandOf(env)
    const words = typed.filter((word) => !word.startsWith('-'))
    const args = words.slice(command.name.split(' ').length)
    for (const line of command.helpAbout?.(args, call) ?? helpFor(command, call)) out(line)
    return EXIT.done
  }
  const input = inputOf(command, typed)
  const isQuiet = input.options.json === true
  const monitor = { warn: err, progress: (!isQuiet && progress) || (() => {}), ask, piped }
  const done = await outcomeOf(command, env, input, monitor)
  for (const line of isQuiet ? [printableJson(JSON.stringify(done.json))] : done.lines) out(line)
  return done.exit ?? EXIT.done
}

async function outcomeOf(
  command: AnyCommand,
  env: Environment,
  input: Input,
  monitor: Monitor,
): Promise<Outcome> {
  if ('runUnread' in command) return await command.runUnread(env, input, monitor)
  const config = configOf(env)
  if ('runUnopened' in command) return await command.runUnopened(config, input, monitor)
  if (command.makesLinks) needAddress(config, command.name)
  return await inShop(config, monitor.warn, (deps) => command.run(deps, input, monitor))
}

/**
 * Finds the command; options may be anywhere, and the first words that are not options name it.
 */
function commandIn(typed: readonly string[]): AnyCommand | undefined {
  const words = typed.filter((word) => !word.startsWith('-'))
  const named = (count: number) =>
    COMMANDS.find(({ name }) => name === words.slice(0, count).join(' '))
  return named(2) ?? named(1)
}

function inputOf(command: AnyCommand, typed: readonly string[]): Input {
  const { values, positionals } = parsed(command, typed)
  const args = positionals.slice(command.name.split(' ').length)
  const places = command.usage.split(' ').filter(Boolean)
  const needed = places.filter((place) => place.startsWith('<')).length
  // A usage with `…` takes any number of arguments.
  const most = command.usage.includes('…') ? Number.POSITIVE_INFINITY : places.length
  if (args.length < needed || args.length > most) {
    throw wrongUsage(`Usage: ${command.name} ${command.usage}; see --help.`)
  }
  return { args, options: values as Input['options'] }
}

function parsed({ options = {} }: AnyCommand, typed: readonly string[]) {
  const known = Object.entries(options).map(([name, { about: _, ...option }]) => [name, option])
  try {
    return parseArgs({
      args: [...typed],
      // Every command takes `--yes`, so that a script need not know which of them ask.
      options: {
        ...Object.fromEntries(known),
        json: { type: 'boolean' },
        yes: { type: 'boolean' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    throw wrongUsage(firstSentence(error))
  }
}

// No command needs the secret of a shop on another machine.
function configOf(env: Environment) {
  const needsSecret = env.DATABASE_URL?.trim() && !env.JWT_SECRET?.trim()
  return readConfig(needsSecret ? { ...env, JWT_SECRET: '-'.repeat(32) } : env)
}

function exitOf(error: unknown): Exit {
  if (error instanceof CommandError) return error.exit
  if (error instanceof ConfigError) return EXIT.usage
  if (REFUSALS.some((refusal) => error instanceof refusal)) return EXIT.no
  if (error instanceof StartError || error instanceof DatabaseUnavailable) return EXIT.unreachable
  return EXIT.fault
}

function lineOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable)
    return `The database cannot be reached: ${error.message}.`
  const isClear = [CommandError, ConfigError, StartError, ...REFUSALS].some(
    (one) => error instanceof one,
  )
  if (isClear) return (error as Error).message
  return `Unexpected error: ${firstSentence(error)}`
}

function firstSentence(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.replace(/\. To specify .*/, '.')
}

/** The lines of `--help` for all commands; `call` is how the operator calls them here. */
function overview(call: string): string[] {
  const names = COMMANDS.map(({ name, usage }) => `${name} ${usage}`.trim())
  const width = Math.max(...names.map(({ length }) => length))
  return [
    'The operator’s command line. It works whether or not the shop is running.',
    '',
    `Usage: ${call} <command> [--json] [--help]`,
    '',
    ...COMMANDS.map(({ summary }, at) => `  ${(names[at] ?? '').padEnd(width)}  ${summary}`),
    '',
    '--json prints one line for scripts, with amounts in dinars and times in UTC.',
    '--yes answers every question of a command with yes; scripts may always add it.',
    'Commands act on the shop of DATABASE_URL or DATA_DIR and need the same environment as the shop.',
    '',
    'Exit codes: 0 success; 1 refused, or a check failed; 2 wrong usage; 3 database unreachable; 4 unexpected error.',
  ]
}

function helpFor(
  { name, usage, summary, details = [], options = {} }: AnyCommand,
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
