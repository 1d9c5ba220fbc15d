import type { Generated, GeneratedAlways } from 'kysely'
import type { Language } from '../../rules/languages.ts'
import type { Moment, OptionalMoment } from './columns.ts'

/** What staff did, to what, and why; rows are only added. */
export interface StaffLogTable {
  id: GeneratedAlways<number>
  madeAt: Moment
  /** Who: `command line`, or `user 12`. */
  actor: string
  action: string
  /** Such as `user 12`. */
  subject: string
  reason: string | null
}

/** A teacher who asks to sell here; shown to staff once its e-mail address is confirmed. */
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
  decision: Generated<'accepted' | 'refused' | null>
  reason: Generated<string | null>
}

/** When something was last done that keeps the shop safe. */
export interface UpkeepTable {
  what: 'backup' | 'ledger'
  doneAt: Date
  /** Since when it finds something wrong; null: nothing is. */
  wrongSince: OptionalMoment
}

/** Tables about staff and how they come into the office. */
export interface StaffTables {
  staffLog: StaffLogTable
  staffInvitations: { tokenHash: string; userId: number; expiresAt: Date }
  secondFactorSetups: { userId: number; sealedSecret: string; expiresAt: Date }
  secondFactors: { userId: number; sealedSecret: string; lastStep: number; since: Date }
  recoveryCodes: { userId: number; codeHash: string; usedAt: OptionalMoment }
  joinRequests: JoinRequestsTable
  upkeep: UpkeepTable
}
