import * as accounts from './accounts.ts'
import * as archive from './archive.ts'
import type { AnyCall } from './call.ts'
import * as carts from './carts.ts'
import * as catalogue from './catalogue.ts'
import * as chat from './chat.ts'
import * as earnings from './earnings.ts'
import * as invoices from './invoices.ts'
import * as library from './library.ts'
import * as officeAccess from './office-access.ts'
import * as officeActs from './office-acts.ts'
import * as officeAllDocuments from './office-all-documents.ts'
import * as officeBulkChanges from './office-bulk-changes.ts'
import * as officeCannedAnswers from './office-canned-answers.ts'
import * as officeCatalogue from './office-catalogue.ts'
import * as officeClosings from './office-closings.ts'
import * as officeCommissions from './office-commissions.ts'
import * as officeConversations from './office-conversations.ts'
import * as officeDesk from './office-desk.ts'
import * as officeDocuments from './office-documents.ts'
import * as officeFacts from './office-facts.ts'
import * as officeFigures from './office-figures.ts'
import * as officeImports from './office-imports.ts'
import * as officeInterfaceTexts from './office-interface-texts.ts'
import * as officeJoining from './office-joining.ts'
import * as officeLog from './office-log.ts'
import * as officeOrders from './office-orders.ts'
import * as officePeople from './office-people.ts'
import * as officeQuestions from './office-questions.ts'
import * as officeRatings from './office-ratings.ts'
import * as officeReports from './office-reports.ts'
import * as officeReview from './office-review.ts'
import * as officeSamples from './office-samples.ts'
import * as officeSearch from './office-search.ts'
import * as officeSitePages from './office-site-pages.ts'
import * as officeSiteVersions from './office-site-versions.ts'
import * as officeStamp from './office-stamp.ts'
import * as officeTransfers from './office-transfers.ts'
import * as officeWallets from './office-wallets.ts'
import * as officeWithheld from './office-withheld.ts'
import * as orders from './orders.ts'
import * as ownAccount from './own-account.ts'
import * as payouts from './payouts.ts'
import * as ratings from './ratings.ts'
import * as reading from './reading.ts'
import * as references from './references.ts'
import * as reports from './reports.ts'
import * as site from './site.ts'
import * as teacherProfile from './teacher-profile.ts'
import * as uploads from './uploads.ts'
import * as wallet from './wallet.ts'

const isCall = (value: unknown): value is AnyCall =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** All calls of the contract by name: the server answers them, and the tests try them. */
export const CALLS: Readonly<Record<string, AnyCall>> = Object.fromEntries(
  [
    accounts,
    archive,
    carts,
    catalogue,
    chat,
    earnings,
    invoices,
    library,
    officeActs,
    officeAccess,
    officeAllDocuments,
    officeBulkChanges,
    officeCannedAnswers,
    officeCatalogue,
    officeClosings,
    officeCommissions,
    officeConversations,
    officeDesk,
    officeDocuments,
    officeFacts,
    officeFigures,
    officeImports,
    officeInterfaceTexts,
    officeJoining,
    officeLog,
    officeOrders,
    officePeople,
    officeQuestions,
    officeRatings,
    officeReports,
    officeReview,
    officeSamples,
    officeSearch,
    officeSitePages,
    officeSiteVersions,
    officeStamp,
    officeTransfers,
    officeWallets,
    officeWithheld,
    orders,
    ownAccount,
    payouts,
    ratings,
    reading,
    references,
    reports,
    site,
    teacherProfile,
    uploads,
    wallet,
  ].flatMap((resource) => Object.entries(resource).filter(([, value]) => isCall(value))),
)
