import type { Migration } from 'kysely/migration'
import * as shop from './0001-shop.ts'
import * as wishlists from './0002-wishlists.ts'
import * as passwordResets from './0003-password-resets.ts'
import * as payments from './0004-payments.ts'
import * as chat from './0005-chat.ts'
import * as pageChanges from './0006-page-changes.ts'
import * as jobs from './0007-jobs.ts'
import * as waitingOrders from './0008-waiting-orders.ts'
import * as staff from './0009-staff.ts'
import * as trustedRatings from './0010-trusted-ratings.ts'
import * as inbox from './0011-inbox.ts'
import * as goods from './0012-goods.ts'
import * as staffAccess from './0013-staff-access.ts'
import * as shares from './0014-shares.ts'
import * as documentsImport from './0015-import.ts'
import * as teacherPages from './0016-teacher-pages.ts'
import * as answers from './0017-answers.ts'
import * as imports from './0018-imports.ts'
import * as review from './0019-review.ts'
import * as adjustments from './0020-adjustments.ts'
import * as people from './0021-people.ts'
import * as siteTexts from './0022-site-texts.ts'
import * as checkedFiles from './0023-checked-files.ts'
import * as conversations from './0024-inbox.ts'
import * as catalogue from './0025-catalogue.ts'
import * as bulkChanges from './0026-bulk-changes.ts'
import * as figures from './0027-figures.ts'
import * as interfaceTexts from './0028-interface-texts.ts'
import * as catalogueReads from './0031-catalogue-reads.ts'
import * as search from './0033-search.ts'
import * as cdnPurges from './0034-cdn-purges.ts'
import * as samples from './0035-samples.ts'
import * as readings from './0036-readings.ts'
import * as stamps from './0037-stamps.ts'
import * as versionMails from './0038-version-mails.ts'
import * as shelves from './0039-shelves.ts'
import * as sales from './0040-sales.ts'
import * as changedDocuments from './0041-changed-documents.ts'
import * as ledgerSums from './0042-ledger-sums.ts'
import * as methodTexts from './0043-method-texts.ts'
import * as endedJobs from './0044-ended-jobs.ts'
import * as fileFaults from './0045-file-faults.ts'
import * as attempts from './0046-attempts.ts'
import * as plainReferences from './0047-plain-references.ts'
import * as readFiles from './0049-read-files.ts'
import * as operator from './0050-operator.ts'
import * as logos from './0052-logos.ts'
import * as searchNames from './0054-search-names.ts'

/**
 * Every migration, in the order of their names. The statements of a released migration never
 * change.
 */
export const migrations: Record<string, Migration> = {
  '0001-shop': shop,
  '0002-wishlists': wishlists,
  '0003-password-resets': passwordResets,
  '0004-payments': payments,
  '0005-chat': chat,
  '0006-page-changes': pageChanges,
  '0007-jobs': jobs,
  '0008-waiting-orders': waitingOrders,
  '0009-staff': staff,
  '0010-trusted-ratings': trustedRatings,
  '0011-inbox': inbox,
  '0012-goods': goods,
  '0013-staff-access': staffAccess,
  '0014-shares': shares,
  '0015-import': documentsImport,
  '0016-teacher-pages': teacherPages,
  '0017-answers': answers,
  '0018-imports': imports,
  '0019-review': review,
  '0020-adjustments': adjustments,
  '0021-people': people,
  '0022-site-texts': siteTexts,
  '0023-checked-files': checkedFiles,
  '0024-inbox': conversations,
  '0025-catalogue': catalogue,
  '0026-bulk-changes': bulkChanges,
  '0027-figures': figures,
  '0028-interface-texts': interfaceTexts,
  '0031-catalogue-reads': catalogueReads,
  '0033-search': search,
  '0034-cdn-purges': cdnPurges,
  '0035-samples': samples,
  '0036-readings': readings,
  '0037-stamps': stamps,
  '0038-version-mails': versionMails,
  '0039-shelves': shelves,
  '0040-sales': sales,
  '0041-changed-documents': changedDocuments,
  '0042-ledger-sums': ledgerSums,
  '0043-method-texts': methodTexts,
  '0044-ended-jobs': endedJobs,
  '0045-file-faults': fileFaults,
  '0046-attempts': attempts,
  '0047-plain-references': plainReferences,
  '0049-read-files': readFiles,
  '0050-operator': operator,
  '0052-logos': logos,
  '0054-search-names': searchNames,
}
