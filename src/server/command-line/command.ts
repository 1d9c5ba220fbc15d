import type { ParseArgsOptionDescriptor } from 'node:util'
import { isBlank, plainSigns } from '../../rules/pasted-text.ts'
import type { Config, Environment } from '../config/config.ts'
import type { Deps } from '../deps.ts'

/** The exit codes of commands; scripts rely on these numbers. */
export const EXIT = {
  done: 0,
  /**
   * The result is negative, such as that of a failed check, or the shop's present state does not
   * allow the command.
   */
  no: 1,
  usage: 2,
  unreachable: 3,
  fault: 4,
} as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command with one line for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.exit = exit
  }
}

/** The error for a wrong command line or environment. */
export const wrongUsage = (message: string) => new CommandError(EXIT.usage, message)

/** The error for an argument that is not a valid `what`, such as a day. */
export const notA = (what: string, typed: string | undefined, example: string) =>
  wrongUsage(`"${typed ?? ''}" is not a valid ${what}; an example is ${example}.`)

/** The error for a command that the shop's present state does not allow. */
export const refusal = (message: string) => new CommandError(EXIT.no, message)

/** The arguments and options that were typed after a command's name. */
export interface Input {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

/** The result of a command: `lines` for people, `json` for scripts. */
export interface Outcome {
  readonly exit?: Exit
  readonly lines: readonly string[]
  readonly json: unknown
}

/** The description of a command for the help. */
interface CommandHelp {
  /** One or two words: `refund`, `ledger check`. */
  readonly name: string
  /**
   * Its arguments as the help shows them, such as `<order> [document]`; the command takes exactly
   * these.
   */
  readonly usage: string
  readonly summary: string
  readonly details?: readonly string[]
  readonly options?: Readonly<Record<string, ParseArgsOptionDescriptor & { about: string }>>
  /** Help about what is typed behind the name, in place of the command's; undefined: none. */
  helpAbout?(args: readonly string[], call: string): readonly string[] | undefined
}

/** A command that works on the shop; a new one is an entry of a file's list. */
export interface Command extends CommandHelp {
  /** The command prints or mails links, so it is refused where the shop's address is not known. */
  readonly makesLinks?: boolean
  run(deps: Deps, input: Input, monitor: Monitor): Promise<Outcome>
}

/**
 * A command that opens what it needs itself: there may be no shop yet, or one of another version.
 */
export interface SetupCommand extends CommandHelp {
  runUnopened(config: Config, input: Input, monitor: Monitor): Promise<Outcome>
}

/** A command that reads the settings itself, since it also works with wrong ones. */
interface UnreadCommand extends CommandHelp {
  runUnread(env: Environment, input: Input, monitor: Monitor): Promise<Outcome>
}

export type AnyCommand = Command | SetupCommand | UnreadCommand

/** Receives the reports of a long command, and answers its questions. */
export interface Monitor {
  /** Prints a line that stays on the screen. */
  readonly warn: (line: string) => void
  /** Replaces the previous progress line; does nothing outside a terminal. */
  readonly progress: (line: string) => void
  /** Asks who sits at the terminal; the answer to a secret is not shown. Absent without one. */
  readonly ask?: ((question: string, isSecret: boolean) => Promise<string>) | undefined
  readonly piped?: (() => Promise<string>) | undefined
}

/** Reads an id as typed: `12` or `#12`. */
export function readId(text: string | undefined, what: string): number {
  const [, digits] = /^#?(\d{1,10})$/.exec(plainSigns(text ?? '')) ?? []
  const id = Number(digits)
  if (id >= 1 && id < 2 ** 31) return id
  throw notA(what, text, '12')
}

/** Reads one of a list of values, ignoring case; undefined if nothing was typed. */
export function readChoice<const Choice extends string>(
  what: string,
  typed: string | boolean | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (typed === undefined) return undefined
  const choice = choices.find((each) => each.toLowerCase() === String(typed).toLowerCase())
  if (choice) return choice
  throw wrongUsage(`${what} is "${typed}"; allowed is ${choices.join(', ')}.`)
}

export function readText(what: string, typed: string | boolean | undefined, most: number): string {
  const text = String(typed ?? '').trim()
  if (!isBlank(text) && [...text].length <= most) return text
  throw wrongUsage(`${what} takes 1 to ${most} characters.`)
}
