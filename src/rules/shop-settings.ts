/**
 * What an administrator may set, besides the bounds of `two-people.ts`: each a whole number, by what
 * it counts; amounts are millimes.
 */
export const SETTING_UNITS = {
  share_percent: 'percent',
  hold_days: 'days',
  payout_minimum: 'amount',
  /** What is withheld of a teacher's payouts. */
  withholding: 'hundredths',
  /** Whether bought PDFs are handed out with a footer. */
  stamp: 'switch',
  // Whether administrators are told by mail what waits.
  notice_acts: 'switch',
  notice_sums: 'switch',
  notice_transfers: 'switch',
  notice_documents: 'switch',
  notice_joining: 'switch',
  notice_payouts: 'switch',
  notice_returns: 'switch',
  notice_bundles: 'switch',
  notice_reports: 'switch',
  notice_conversations: 'switch',
  notice_mail: 'switch',
  notice_gateway: 'switch',
  notice_codes: 'switch',
  notice_disk: 'switch',
  notice_storage: 'switch',
  notice_backup: 'switch',
} as const satisfies Readonly<
  Record<string, 'percent' | 'hundredths' | 'days' | 'amount' | 'switch'>
>
export type PlainSetting = keyof typeof SETTING_UNITS
