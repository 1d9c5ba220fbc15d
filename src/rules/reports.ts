/** What a document is reported for. */
export const REPORT_REASONS = ['copyright', 'wrong', 'offensive', 'personal'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** The longest words of a report, of its teacher's answer and of the shop's reply, in characters. */
export const REPORT_WORDS_MAX_LENGTH = 1500

/**
 * How often an address, a person (account or e-mail address) may report, and a document be: by one
 * address, by strangers, and by accounts whose e-mail or phone is confirmed, which have a share of
 * their own, so that no number of strangers keeps them from it.
 */
export const REPORTS_A_DAY = {
  ...{ address: 20, person: 10 },
  ...{ documentByAddress: 3, document: 30, documentByAccounts: 30 },
}
