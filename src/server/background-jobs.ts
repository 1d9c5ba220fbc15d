import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../rules/durations.ts'
import { contactMailWriters, makeDueChanges } from './accounts/contact-changes.ts'
import { writeConfirmationLink } from './accounts/email-confirmations.ts'
import { isSlowed } from './accounts/newcomer-texts.ts'
import {
  writeEmailKnown,
  writePhoneCode,
  writePhoneKnown,
  writeResetLink,
} from './accounts/password-resets.ts'
import { staffMailWriters } from './accounts/staff/write-mails.ts'
import { endUnconfirmed } from './accounts/unconfirmed.ts'
import { bundleMailWriters, tellOfBundles } from './bundles/bundles.ts'
import { mailAbsent, writeAbsence } from './chat/absence.ts'
import type { Deps } from './deps.ts'
import {
  correctionMailWriters,
  reportMailWriters,
  resumeBulkChanges,
  tellOfCorrections,
  turnDiscounts,
} from './documents/documents.ts'
import { keepAllSums } from './figures/figures.ts'
import { mailNews, newsMailWriter } from './following/following.ts'
import { expireImports, giveUpImport, resumeImports, workOnImport } from './imports/imports.ts'
import { cleanUp, forgetAttempts } from './jobs/clean-up.ts'
import type { JobData, ScheduledJob } from './jobs/queues.ts'
import {
  LIKENESS_EVERY_MS,
  mailVersions,
  makeSamples,
  SAMPLES_EVERY_MS,
  signFiles,
  versionMailWriter,
} from './library/library.ts'
import { deliverMail, isOfMerged, type Writers } from './mail/deliver.ts'
import { sendText } from './mail/text-messages.ts'
import { lookAfterPayments } from './money/due-payments.ts'
import { moneyMailWriters } from './money/mails.ts'
import { noticeMailWriter, tellAdministrators } from './notices/notices.ts'
import { ownDataMailWriters } from './own-data/mails.ts'
import { deleteDue, EXPORTS, endUnapproved, makeExports } from './own-data/own-data.ts'
import { foldAllPeople } from './people-search/people-search.ts'
import { PURGE_EVERY_MS, purgeChanges, purgeEveryPage } from './publishing/publishing.ts'
import { readTexts, senderAddress } from './site-texts/site-texts.ts'
import { lookAtDisk, lookAtStorage } from './troubles/troubles.ts'
import { cleanUpFiles } from './uploads/uploads.ts'
import { checkLedgerAndNote } from './waiting/waiting.ts'

/**
 * Starts working on the shop's jobs; returns the function that stops it, which takes
 * `STOP_GRACE_MS` at most.
 */
export async function startWork(
  deps: Deps,
  scheduled = scheduledJobs(deps),
): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const { kysely } = deps.database
  const writers: Writers = {
    ...moneyMailWriters(deps),
    ...staffMailWriters(deps),
    ...versionMailWriter(deps),
    ...noticeMailWriter(deps),
    ...ownDataMailWriters(deps),
    ...reportMailWriters(deps),
    ...correctionMailWriters(deps),
    ...bundleMailWriters(deps),
    ...newsMailWriter(deps),
    ...contactMailWriters(deps),
    password_reset: (data, texts) => writeResetLink(deps, data, texts),
    phone_code: (data, texts) => writePhoneCode(deps, data, texts),
    phone_known: (data, texts) => writePhoneKnown(deps, data, texts),
    email_known: (data, texts) => writeEmailKnown(deps, data, texts),
    email_confirmation: (data, texts) => writeConfirmationLink(deps, data, texts),
    absence: (data, texts) => writeAbsence(deps, data, texts),
  }
  const mail = deliverMail(
    deps.mail,
    writers,
    {
      senderAddress: () => senderAddress(deps),
      texts: () => readTexts(kysely),
      isOfMerged: (contact) => isOfMerged(kysely, contact),
    },
    (jobId, sms) => sendText(deps, jobId, sms),
  )
  // Reads the index ahead of the first search, which reads it itself if the database is not
  // available now.
  const isRead = deps.catalogue.prepareSearch().catch(() => {})
  const imports = ({ id }: JobData) => workOnImport(deps, String(id), stopping.signal)
  const giveUp = ({ id }: JobData) => giveUpImport(deps, String(id))
  // The CDN may hold pages of an earlier build.
  if (deps.config.cdn?.purge) await purgeEveryPage(deps)
  await deps.jobs.start({ mail, imports, giveUpImport: giveUp, scheduled })
  return async () => {
    stopping.abort()
    await isRead
    await deps.jobs.stop()
  }
}

/** What runs by the clock, by its name; false where this shop does not need it. */
export function scheduledJobs(deps: Deps): ScheduledJob[] {
  const purge = deps.config.cdn?.purge
  const jobs: Record<string, Omit<ScheduledJob, 'name'> | false> = {
    cdn: purge ? { everyMs: PURGE_EVERY_MS, run: () => purgeChanges(deps, purge) } : false,
    payments: { everyMs: 30 * SECOND_MS, run: () => lookAfterPayments(deps) },
    discounts: { everyMs: 10 * SECOND_MS, run: () => turnDiscounts(deps) },
    'bulk changes': { everyMs: MINUTE_MS, run: () => resumeBulkChanges(deps) },
    imports: { everyMs: MINUTE_MS, run: () => resumeImports(deps) },
    samples: { everyMs: SAMPLES_EVERY_MS, run: () => makeSamples(deps) },
    likeness: { everyMs: LIKENESS_EVERY_MS, run: () => signFiles(deps) },
    absences: deps.config.chatMail && { everyMs: MINUTE_MS, run: () => mailAbsent(deps) },
    versions: { everyMs: MINUTE_MS, run: () => mailVersions(deps) },
    corrections: { everyMs: MINUTE_MS, run: () => tellOfCorrections(deps) },
    bundles: { everyMs: MINUTE_MS, run: () => tellOfBundles(deps) },
    news: { everyMs: MINUTE_MS, run: () => mailNews(deps) },
    'clean-up': {
      everyMs: DAY_MS,
      run: () =>
        cleanUp(deps)
          .then(() => endUnconfirmed(deps))
          .then(() => endUnapproved(deps)),
    },
    attempts: { everyMs: 15 * MINUTE_MS, run: () => forgetAttempts(deps) },
    files: {
      everyMs: 6 * HOUR_MS,
      run: async () => {
        await expireImports(deps)
        await cleanUpFiles(deps)
      },
    },
    ledger: { everyMs: DAY_MS, run: () => checkLedgerAndNote(deps) },
    figures: { everyMs: HOUR_MS, run: () => keepAllSums(deps) },
    people: { everyMs: MINUTE_MS, run: () => foldAllPeople(deps.database) },
    disk: { everyMs: MINUTE_MS, run: () => lookAtDisk(deps) },
    storage: { everyMs: MINUTE_MS, run: () => lookAtStorage(deps) },
    notices: { everyMs: MINUTE_MS, run: () => tellAdministrators(deps) },
    [EXPORTS]: { everyMs: MINUTE_MS, run: () => makeExports(deps) },
    deletions: { everyMs: HOUR_MS, run: () => deleteDue(deps) },
    contacts: { everyMs: MINUTE_MS, run: () => makeDueChanges(deps) },
    // Administrators are told also while nobody registers.
    codes: deps.sms ? { everyMs: MINUTE_MS, run: () => isSlowed(deps) } : false,
  }
  return Object.entries(jobs).flatMap(([name, job]) => (job ? [{ name, ...job }] : []))
}
