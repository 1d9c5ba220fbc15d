import type { Generated, GeneratedAlways } from 'kysely'
import type { JoiningDecision } from '../../rules/joining.ts'
import type { Language } from '../../rules/languages.ts'
import type { NoticeKind } from '../../rules/notices.ts'
import type { UpkeepNote } from '../../rules/upkeep.ts'
import type { Moment, OptionalMoment } from './columns.ts'

/** The actions of staff, their subjects and reasons; rows are only added. */
export interface StaffLogTable {
  id: GeneratedAlways<number>
  madeAt: Moment
  /** The actor: `command line`, or `user 12`. */
  actor: string
  action: string
  /** Such as `user 12`. */
  subject: string
  reason: string | null
}

/** A teacher who applies to sell here; shown to staff once the e-mail address is confirmed. */
export interface JoinRequestsTable {
  id: GeneratedAlways<number>
  email: string
  phone: string
  firstName: string
  lastName: string
  subjects: string
  message: string
  locale: Language
  tokenHash: string | null
  askedAt: Date
  confirmedAt: OptionalMoment
  decidedAt: OptionalMoment
  decision: Generated<JoiningDecision | null>
  reason: Generated<string | null>
}

/** The last run of each task that keeps the shop safe, and the last trouble of each kind. */
export interface UpkeepTable {
  what: UpkeepNote
  doneAt: Date
  /** Since when the task has reported a problem; null: none. */
  wrongSince: OptionalMoment
  /** The last error of what fails. */
  reason: string | null
}

/** Tables about staff and their access to the office. */
export interface StaffTables {
  staffLog: StaffLogTable
  staffInvitations: { tokenHash: string; userId: number; expiresAt: Date }
  secondFactorSetups: { userId: number; sealedSecret: string; expiresAt: Date }
  secondFactors: { userId: number; sealedSecret: string; lastStep: number; since: Date }
  recoveryCodes: { userId: number; codeHash: string; usedAt: OptionalMoment }
  joinRequests: JoinRequestsTable
  upkeep: UpkeepTable
  toldNotices: { kind: NoticeKind; toldAt: Date; toldUntil: Date }
}
