import { inDinars } from '../../rules/money.ts'
import { HOLD_DAYS_MAX, PAYOUT_MINIMUM_LEAST, PAYOUT_MINIMUM_MOST } from '../../rules/payouts.ts'
import { SHARE_PERCENT_MAX, SHARE_PERCENT_MIN } from '../../rules/shares.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/staff-reasons.ts'
import type { Deps } from '../deps.ts'
import {
  changeSetting,
  readSetting,
  type SettingName,
  settingHistory,
  settingsOfTeachers,
} from '../money/money.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, type Outcome, readAmount, readId, readText, wrongUsage } from './command.ts'
import { moment, money } from './print.ts'

/** How a setting is read and shown. */
interface Unit {
  readonly read: (typed: string) => number
  readonly show: (value: number) => string
  /** For scripts: amounts in dinars. */
  readonly json: (value: number) => number
}

const PERCENT: Unit = { read: whole, show: (value) => `${value} %`, json: (value) => value }
const DAYS: Unit = { read: whole, show: (value) => `${value} days`, json: (value) => value }
const AMOUNT: Unit = {
  read: (typed) => readAmount('The smallest payout', typed),
  show: money,
  json: inDinars,
}

const DEFAULT_OPTION = { type: 'boolean', about: 'removes the value that was set' } as const
const REASON_OPTION = { type: 'string', about: 'why, for the history and the log' } as const

/** The settings of shares and payouts. */
export const shareCommands: readonly Command[] = [
  {
    name: 'share',
    usage: '[percent]',
    summary: 'Shows the teachers’ share of a sale, or sets it, for all teachers or one.',
    details: [
      `A whole number from ${SHARE_PERCENT_MIN} to ${SHARE_PERCENT_MAX}. It applies to sales from now on; earlier sales keep their share.`,
      'share 65                        65 % from now on',
      'share 80 --teacher 3            80 % for this teacher, whatever the shop’s share',
      'share --teacher 3 --default     the shop’s share again',
    ],
    options: {
      teacher: { type: 'string', about: 'the id of a teacher, as in the address of their page' },
      default: DEFAULT_OPTION,
      reason: REASON_OPTION,
    },
    run: (deps, input) => showOrSet(deps, 'share_percent', PERCENT, input),
  },
  {
    name: 'payout hold',
    usage: '[days]',
    summary: 'Shows after how many days a sale’s share may be paid out, or sets it.',
    details: [`0 to ${HOLD_DAYS_MAX} days. It applies at once, to earlier sales as well.`],
    options: { default: DEFAULT_OPTION, reason: REASON_OPTION },
    run: (deps, input) => showOrSet(deps, 'hold_days', DAYS, input),
  },
  {
    name: 'payout minimum',
    usage: '[dinars]',
    summary: 'Shows the smallest payout, or sets it.',
    details: [`${money(PAYOUT_MINIMUM_LEAST)} to ${money(PAYOUT_MINIMUM_MOST)}.`],
    options: { default: DEFAULT_OPTION, reason: REASON_OPTION },
    run: (deps, input) => showOrSet(deps, 'payout_minimum', AMOUNT, input),
  },
]

function whole(typed: string): number {
  return /^\d{1,6}$/.test(typed) ? Number(typed) : Number.NaN
}

async function showOrSet(
  deps: Deps,
  name: SettingName,
  unit: Unit,
  { args: [typed], options }: Parameters<Command['run']>[1],
): Promise<Outcome> {
  const teacherId =
    options.teacher === undefined ? null : readId(String(options.teacher), 'teacher')
  if (typed !== undefined && options.default) {
    throw wrongUsage('Give a value or --default, not both.')
  }
  if (typed !== undefined || options.default) {
    const value = typed === undefined ? null : unit.read(typed)
    const reason =
      options.reason === undefined
        ? ''
        : readText('--reason', options.reason, STAFF_REASON_MAX_LENGTH)
    await changeSetting(deps, { name, teacherId, value, actor: COMMAND_LINE, reason })
  }
  return show(deps, name, unit, teacherId)
}

async function show(
  { database: { kysely } }: Deps,
  name: SettingName,
  unit: Unit,
  teacherId: number | null,
): Promise<Outcome> {
  const value = await readSetting(kysely, name, teacherId)
  const teachers = teacherId === null ? await settingsOfTeachers(kysely, name) : []
  const history = (await settingHistory(kysely, name)).filter(
    (change) => teacherId === null || change.teacherId === teacherId,
  )
  return {
    lines: [
      `${teacherId === null ? 'The shop' : `Teacher ${teacherId}`}: ${unit.show(value)}`,
      ...teachers.map((own) => `Teacher ${own.teacherId}: ${unit.show(own.value)}  ${own.teacher}`),
      ...(history.length > 0 ? ['', 'Changes, newest first:'] : []),
      ...history.map(
        (change) =>
          `  ${moment(change.setAt)}  ${change.teacherId === null ? 'shop' : `teacher ${change.teacherId}`}  ${change.value === null ? 'default' : unit.show(change.value)} (${change.actor})${change.reason && ` ${change.reason}`}`,
      ),
    ],
    json: {
      value: unit.json(value),
      teacherId,
      teachers: teachers.map((own) => ({ ...own, value: unit.json(own.value) })),
      history: history.map((change) => ({
        ...change,
        value: change.value === null ? null : unit.json(change.value),
      })),
    },
  }
}
