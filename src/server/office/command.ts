import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'

/** What a command ends with; scripts rely on these numbers. */
export const EXIT = {
  done: 0,
  /** The answer is no, or the present state does not allow it. */
  no: 1,
  /** The command line or the environment is wrong. */
  usage: 2,
  /** The database cannot be reached. */
  unreachable: 3,
  /** An unexpected error. */
  fault: 4,
} as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command with one line for the operator. */
export class OfficeError extends Error {
  override readonly name = 'OfficeError'
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.exit = exit
  }
}

/** The error for a command or an environment that is wrong. */
export const wrongUsage = (message: string) => new OfficeError(EXIT.usage, message)

/** The error for what the present state does not allow. */
export const refusal = (message: string) => new OfficeError(EXIT.no, message)

/** What was typed after a command's name. */
export interface Input {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

/** What a command found or did: `lines` for people, `json` for scripts. */
export interface Outcome {
  readonly exit?: Exit
  readonly lines: readonly string[]
  readonly json: unknown
}

/** What the help says of a command. */
export interface CommandHelp {
  /** One word or two: `refund`, `ledger check`. */
  readonly name: string
  /** Its arguments as the help shows them; it takes as many: `<order> [document]`. */
  readonly usage: string
  /** What it does, in a line. */
  readonly summary: string
  /** What else there is to know; lines. */
  readonly details?: readonly string[]
  readonly options?: Readonly<Record<string, ParseArgsOptionDescriptor & { about: string }>>
}

/** A command of the office that works on the shop; a new one is a line in `commands.ts`. */
export interface Command extends CommandHelp {
  /** It prints or mails links, so it is refused where the shop's address is not known. */
  readonly makesLinks?: boolean
  run(deps: Deps, input: Input, monitor: Monitor): Promise<Outcome>
}

/** A command that opens what it needs by itself: the shop may not be there, or be another version's. */
export interface SetupCommand extends CommandHelp {
  runUnopened(config: Config, input: Input, monitor: Monitor): Promise<Outcome>
}

export type AnyCommand = Command | SetupCommand

/** Where a long command reports while it works. */
export interface Monitor {
  /** A line that stays. */
  readonly warn: (line: string) => void
  /** How far the command is; replaces the line before, and does nothing outside of a terminal. */
  readonly progress: (line: string) => void
}

/** Reads an id as it is typed: `12` or `#12`. */
export function readId(text: string | undefined, what: string): number {
  const [, digits] = /^#?(\d{1,10})$/.exec(text ?? '') ?? []
  const id = Number(digits)
  if (id >= 1 && id < 2 ** 31) return id
  throw wrongUsage(`"${text}" is no ${what}: a number like 12 is.`)
}

/** Reads a value that is one of a list, in whatever case; undefined where it was not typed. */
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

/** Reads a text that must be there, of at most `most` characters, such as a reason. */
export function readText(what: string, typed: string | boolean | undefined, most: number): string {
  const text = String(typed ?? '').trim()
  if (text !== '' && [...text].length <= most) return text
  throw wrongUsage(`${what} takes 1 to ${most} characters.`)
}
