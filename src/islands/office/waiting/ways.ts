import type { WaitingItem, WaitingKind } from '../../../contract/office-desk.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { inLanguage } from '../../../i18n/paths.ts'
import { OFFICE_PAGES } from '../../../rules/pages.ts'
import { readableReference } from '../../../rules/typed-numbers.ts'

/** The page for each kind of task, and the address of a single task if it has one. */
const PAGES: Readonly<
  Partial<Record<WaitingKind, { page: string; single?: (item: WaitingItem) => string }>>
> = {
  documents: { page: '/office/review', single: ({ id }) => `/office/review-document?id=${id}` },
  joining: { page: '/office/join-requests' },
  transfers: {
    page: '/office/transfers',
    single: ({ id }) => `/office/transfers?q=${readableReference(id)}`,
  },
  differences: { page: '/office/transfers' },
  adjustments: { page: '/office/adjustments' },
  payouts: { page: '/office/teacher-payouts' },
  mail: { page: '/office/notices' },
  conversations: {
    page: '/office/conversations',
    single: ({ id }) => `/office/conversations?room=${id}`,
  },
}

/** The commands for each kind of task that has no page. */
export const COMMANDS: Readonly<Partial<Record<WaitingKind, readonly string[]>>> = {
  transfers: ['call listTransfers'],
  payouts: ['call listTeacherPayouts'],
  mails: ['mails'],
  backup: ['backup karras.backup', 'backup note'],
  ledger: ['ledger check'],
}

/** The address of the page for a task; undefined if the page does not exist. */
export function addressOf(
  locale: Locale,
  kind: WaitingKind,
  item?: WaitingItem,
): string | undefined {
  const entry = PAGES[kind]
  if (!entry || !(entry.page in OFFICE_PAGES)) return undefined
  return inLanguage(locale, item && entry.single ? entry.single(item) : entry.page)
}
